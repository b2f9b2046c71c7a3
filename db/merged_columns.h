#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"

namespace redtune::db {

// For a merge of the attached database `input` into the main database. The temporary table map_TABLE maps ids of the
// input (`old`) to ids of the main database (`new`); it exists from when the rows of TABLE were merged.

using Names = std::vector<std::string>;

/// Returns the names, each with a prefix, separated by commas.
std::string joined(const Names& names, std::string_view prefix = "");

/// Returns the names of a table's columns, without `id`.
Names columns_of(const Connection& connection, std::string_view table);

/// Returns for each column an SQL expression of its value in the main database: the same column of `source`, or for a
/// foreign key the id that the row has in the main database. Tables that only the schema fills (regime, stage, status)
/// have the same ids in every database.
std::map<std::string, std::string> mapped_columns(const Connection& connection, std::string_view table);

/// Returns the expressions of some columns.
Names mapped(const std::map<std::string, std::string>& expressions, const Names& columns);

/// Creates map_TABLE.
/// @param select an SQL query for pairs of an old and a new id
void create_map(Connection& connection, std::string_view table, const std::string& select);

}  // namespace redtune::db
