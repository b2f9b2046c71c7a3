#include "db/exchange_format.h"

#include <algorithm>
#include <array>
#include <map>

namespace redtune::db {

namespace {

constexpr std::array exchanged_names = {"device",        "device_unit", "toolchain",   "family",      "problem",
                                        "configuration", "sweep",       "measurement", "unit_winner", "size_check"};
/// The tables that give names to ids. A line has the name in place of the id.
constexpr std::array<std::string_view, 4> tables_of_names = {"regime", "stage", "status", "data"};
/// The columns of type TEXT that contain JSON.
constexpr std::array<std::string_view, 4> json_columns = {"parameters", "launch_rule", "samples", "data_ratios"};

template <class List>
bool contains(const List& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::map<std::string, std::string> parents_of(const Connection& connection, std::string_view table) {
    Statement keys = connection.prepare("SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?1)");
    keys.bind(table);
    std::map<std::string, std::string> parents;
    while (keys.step()) parents[keys.text(0)] = keys.text(1);
    return parents;
}

ExchangedType type_of(std::string_view column, std::string_view declared, std::string_view parent) {
    if (contains(tables_of_names, parent)) return ExchangedType::name;
    if (contains(json_columns, column)) return ExchangedType::json;
    if (declared == "REAL") return ExchangedType::real;
    return declared == "TEXT" ? ExchangedType::text : ExchangedType::integer;
}

std::vector<ExchangedColumn> exchanged_columns(const Connection& connection, std::string_view table) {
    auto parents = parents_of(connection, table);
    // No table refers to the ids of unit_winner.
    Statement rows = connection.prepare(
        "SELECT name, type, \"notnull\" OR pk FROM pragma_table_info(?1) WHERE ?1 <> 'unit_winner' OR name <> 'id'");
    rows.bind(table);
    std::vector<ExchangedColumn> columns;
    while (rows.step()) {
        ExchangedColumn column{rows.text(0), rows.text(0), {}, rows.integer(2) != 0, parents[rows.text(0)]};
        column.type = type_of(column.name, rows.text(1), column.parent);
        if (column.type == ExchangedType::name) column.member = column.parent;
        // A merge recognises sweeps by their identity.
        if (column.name == "identity") column.is_required = true;
        columns.push_back(std::move(column));
    }
    return columns;
}

}  // namespace

std::vector<ExchangedTable> exchanged_tables(const Connection& connection) {
    std::vector<ExchangedTable> tables;
    for (const char* name : exchanged_names) tables.push_back({name, exchanged_columns(connection, name)});
    return tables;
}

}  // namespace redtune::db
