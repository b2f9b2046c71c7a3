#include "db/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "db/exchange_format.h"
#include "db/merge_target.h"
#include "db/migration.h"
#include "redtune/version.h"
#include "tuner/core/json_object.h"

namespace redtune::db {

namespace {

std::string select_rows(const ExchangedTable& table) {
    std::vector<std::string> columns;
    for (const ExchangedColumn& column : table.columns) {
        if (column.type == ExchangedType::name) {
            columns.push_back(fmt::format("(SELECT name FROM {} WHERE id = {})", column.parent, column.name));
        } else {
            // json() removes white space, so that a row is one line.
            columns.push_back(column.type == ExchangedType::json ? fmt::format("json({})", column.name) : column.name);
        }
    }
    // The ids of an ordered copy depend only on the contents. The key of size_check is its first columns.
    return fmt::format("SELECT {} FROM {} ORDER BY {}", fmt::join(columns, ", "), table.name,
                       table.name == "size_check" ? "1, 2, 3, 4" : "id");
}

std::string value_text(const Statement& row, int i, ExchangedType type) {
    switch (type) {
        case ExchangedType::integer:
            return std::to_string(row.integer(i));
        case ExchangedType::real:
            return number_to_json(row.real(i)).dump();
        case ExchangedType::json:
            return row.text(i);
        case ExchangedType::text:
        case ExchangedType::name:
            break;
    }
    return text_to_json(row.text(i)).dump();
}

std::uint64_t export_table(const Connection& rows, const ExchangedTable& table, std::ostream& out) {
    Statement row = rows.prepare(select_rows(table));
    std::uint64_t count = 0;
    std::string line;
    for (; row.step(); ++count) {
        line = fmt::format(R"({{"table":"{}")", table.name);
        for (int i = 0; i < row.columns(); ++i) {
            if (row.is_null(i)) continue;
            const ExchangedColumn& column = table.columns[static_cast<std::size_t>(i)];
            line += fmt::format(R"(,"{}":{})", column.member, value_text(row, i, column.type));
        }
        out << line << "}\n";
    }
    return count;
}

}  // namespace

std::uint64_t export_rows(const Connection& database, std::ostream& out) {
    const Connection rows = ordered_copy(database);
    out << fmt::format(R"({{"format":"{}","version":{},"redtune":"{}"}})", exchange_format, schema_version(rows),
                       REDTUNE_VERSION)
        << '\n';
    std::uint64_t count = 0;
    for (const ExchangedTable& table : exchanged_tables(rows)) count += export_table(rows, table, out);
    out << fmt::format(R"({{"rows":{}}})", count) << '\n';
    return count;
}

}  // namespace redtune::db
