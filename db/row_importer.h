#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "db/connection.h"
#include "db/exchange_format.h"
#include "tuner/core/json_object.h"

namespace redtune::db {

/// Inserts the rows of an export into a database, one line at a time.
class RowImporter {
  public:
    /// @param rows a database with the schema of the export's version, which must outlive the importer
    explicit RowImporter(Connection& rows);

    /// Inserts the row of a line. A row that refers to the row of a rejected line is ignored, because its own line may
    /// be right. So is a row that refers to a missing one if the id of a rejected line could not be read.
    /// @throws Error that says why the line is rejected
    void insert(const std::string& line);

  private:
    struct Table {
        ExchangedTable format;
        Statement insert;
        std::unordered_set<std::int64_t> ids;       ///< of inserted rows
        std::unordered_set<std::int64_t> rejected;  ///< ids of rejected rows
    };
    /// Returns the table of a line.
    Table& table_of(const Json& line);
    /// Returns whether the row refers to a rejected one. Throws InputError if it refers to a row that does not exist.
    bool refers_to_rejected(const Table& table, JsonObject& row);
    /// Binds the row's values to the table's statement.
    void bind(Table& table, JsonObject& row, const std::string& line);
    void insert_into(Table& table, const Json& object, const std::string& line);

    /// Returns the name in a member after checking that it is allowed. Any kind of data is allowed.
    std::string name_in(const ExchangedColumn& column, JsonObject& row);

    Connection& rows_;
    bool has_unreadable_line_ = false;  ///< any missing row may be on such a line
    Statement insert_data_;
    std::vector<std::string> names_;  ///< of the tables, in the order of an export
    std::map<std::string, Table> tables_;
    std::map<std::string, std::vector<std::string>> allowed_;  ///< the names that a table of names has
};

}  // namespace redtune::db
