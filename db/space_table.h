#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/core/expression_names.h"
#include "tuner/core/family.h"
#include "tuner/core/finish.h"

struct sqlite3;
struct sqlite3_stmt;

namespace redtune::db {

/// Reads the columns of a statement's current row by name.
class RowReader {
  public:
    explicit RowReader(sqlite3_stmt* row);

    /// Returns the value of a column; nullopt if the value is NULL or there is no column of this name.
    std::optional<Value> value(std::string_view name) const;

  private:
    sqlite3_stmt* row_;
    std::map<std::string, int, std::less<>> columns_;
};

/// An in-memory SQLite table with the cross product of a family's parameters, over which the family's expressions are
/// evaluated. The SQL of the table has a newline after every expression, because an SQL comment in the expression would
/// otherwise hide the text that follows.
class SpaceTable {
  public:
    /// The arguments must outlive the table.
    SpaceTable(const Family& family, const DeviceInfo& device, const Problem& problem, Regime regime);

    /// Calls visit(reader) for each row that satisfies the family's conditions at size n. The first call prepares the
    /// query; later calls only bind other values to it.
    /// @throws InputError "path:line: what is wrong" for a derived value or a condition that is not a valid expression,
    /// and for a table that is too large
    void for_each(std::uint64_t n, const std::function<void(const RowReader&)>& visit);

    /// Throws InputError "path:line: message" with the path of the family's file.
    [[noreturn]] void fail(int line, const std::string& message) const;

  private:
    struct CloseDatabase {
        void operator()(sqlite3* database) const;
    };
    struct FinalizeStatement {
        void operator()(sqlite3_stmt* statement) const;
    };
    using PreparedStatement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;
    /// A prepared statement, or the error that prevented it.
    struct Prepared {
        PreparedStatement statement;
        std::optional<std::string> error;
    };

    /// Returns a SELECT whose rows are the cross product of the parameters' values, with expression_names() as further
    /// columns, whose values are SQL parameters.
    std::string cross_join();
    /// Prepares the query of for_each(). Throws as for_each().
    PreparedStatement prepare_query();
    /// Binds the values of expression_names().
    void bind(sqlite3_stmt* statement) const;
    /// Returns whether this value comes from the finish, because the family does not derive it.
    bool is_determined_by_finish(const FinishValue& value) const;
    /// Returns the columns that follow the finish in a row, with their names, as a part of a SELECT, and sets
    /// `finish_conditions_`. row: the SQL of each value of the row, the finish itself first.
    std::string name_finish_columns(const std::vector<std::string>& row);
    /// Returns the SELECT `from` with a derived value as a further column.
    static std::string with_derived(const Expression& derived, const std::string& from);
    /// Prepares each expression alone. Throws InputError for the first expression that is not valid.
    void check_expressions();
    /// Prepares one expression alone. Throws InputError with the expression's line if it is not valid.
    void check(const Expression& expression, const std::string& from);
    Prepared prepare(const std::string& sql);

    const Family& family_;
    ExpressionContext context_;
    std::unique_ptr<sqlite3, CloseDatabase> database_;
    PreparedStatement query_;
    std::optional<RowReader> row_;  ///< of query_
    int checks_left_;               ///< number of further calls of the progress handler before it interrupts the query
    std::string parameters_;        ///< the SELECT that cross_join() returned
    std::vector<std::string> names_;              ///< names that an expression may use so far
    std::vector<std::string> finish_conditions_;  ///< conditions on the finish that every candidate satisfies
};

}  // namespace redtune::db
