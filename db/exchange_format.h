#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"

namespace redtune::db {

/// The value of "format" in the first line of an exported database.
inline constexpr std::string_view exchange_format = "redtune-database";

/// The schema version of the first redtune that exported databases.
inline constexpr int first_exchanged_version = 7;

/// The form of a column's value in a line of an export.
enum class ExchangedType {
    integer,  ///< a whole number from 0 to 2^63 - 1
    real,     ///< a number
    text,     ///< a string
    json,     ///< a JSON object or array, which the database stores as text
    name      ///< the name that a row of another table has; the database stores the id of this row
};

/// A column of a table, which is a member of the table's lines.
struct ExchangedColumn {
    std::string name;    ///< the column: "regime_id"
    std::string member;  ///< the member of a line: "regime"
    ExchangedType type = ExchangedType::integer;
    bool is_required = false;
    std::string parent;  ///< the table that the column refers to; empty: none
};

/// A table whose rows are exported.
struct ExchangedTable {
    std::string name;
    std::vector<ExchangedColumn> columns;
};

/// Returns the tables that are exported, with the columns that they have in this database. Each table refers only to
/// earlier ones. The table `winner` is left out, because it is derived; so are tables of names.
std::vector<ExchangedTable> exchanged_tables(const Connection& connection);

}  // namespace redtune::db
