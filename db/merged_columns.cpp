#include "db/merged_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace redtune::db {

std::string joined(const Names& names, std::string_view prefix) {
    Names prefixed;
    for (const std::string& name : names) prefixed.push_back(fmt::format("{}{}", prefix, name));
    return fmt::format("{}", fmt::join(prefixed, ", "));
}

Names columns_of(const Connection& connection, std::string_view table) {
    Statement rows = connection.prepare("SELECT name FROM pragma_table_info(?1) WHERE name <> 'id'");
    rows.bind(table);
    Names names;
    while (rows.step()) names.push_back(rows.text(0));
    return names;
}

std::map<std::string, std::string> mapped_columns(const Connection& connection, std::string_view table) {
    std::map<std::string, std::string> expressions;
    for (const std::string& column : columns_of(connection, table)) expressions[column] = "source." + column;
    Statement keys = connection.prepare(
        "SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?1) "
        "WHERE 'map_' || \"table\" IN (SELECT name FROM temp.sqlite_master)");
    keys.bind(table);
    while (keys.step()) {
        const std::string column = keys.text(0);
        expressions[column] = fmt::format("(SELECT new FROM temp.map_{} WHERE old = source.{})", keys.text(1), column);
    }
    return expressions;
}

Names mapped(const std::map<std::string, std::string>& expressions, const Names& columns) {
    Names list;
    for (const std::string& column : columns) list.push_back(expressions.at(column));
    return list;
}

void create_map(Connection& connection, std::string_view table, const std::string& select) {
    connection.execute(fmt::format(
        "CREATE TEMP TABLE map_{0} (old INTEGER PRIMARY KEY, new INTEGER NOT NULL); INSERT INTO temp.map_{0} {1}",
        table, select));
}

}  // namespace redtune::db
