#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace redtune::db {

/// A prepared statement. Only the connection's thread may use it, and it must not outlive the connection.
/// Every member function that calls SQLite may throw DatabaseError.
class Statement {
  public:
    /// Prepares the statement.
    /// @throws DatabaseError if SQLite rejects it
    Statement(sqlite3* database, std::string_view sql);
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    /// Resets the statement and binds ?1, ?2 ... to numbers, text, std::nullopt, or optionals of these.
    template <class... Values>
    Statement& bind(const Values&... values) {
        reset();
        int index = 0;
        (bind_one(++index, values), ...);
        return *this;
    }

    /// Binds ?INDEX alone. The statement must have been reset.
    template <class Value>
    void bind_value(int index, const Value& value) {
        bind_one(index, value);
    }

    /// Moves to the next row and returns true. After the last row, returns false; the statement then holds no lock.
    bool step();
    /// Runs the statement to its end and ignores its rows.
    void run();
    /// Runs the statement as run() does. If it violates a constraint of a table, returns SQLite's message about it:
    /// "CHECK constraint failed: n >= 0"; otherwise returns nullopt.
    std::optional<std::string> run_or_violation();
    /// Returns the first column of the first row; nullopt if there is no row. Afterwards the statement holds no lock.
    std::optional<std::int64_t> value();
    void reset() noexcept;

    int columns() const noexcept;
    std::string name(int column) const;

    // These functions read a column of the current row. Columns are numbered from 0. NULL is read as 0 or "".
    bool is_null(int column) const noexcept;
    bool is_integer(int column) const noexcept;
    bool is_real(int column) const noexcept;
    std::int64_t integer(int column) const noexcept;
    double real(int column) const noexcept;
    std::string text(int column) const;

  private:
    template <std::integral Integer>
    void bind_one(int index, Integer value) {
        bind_integer(index, static_cast<std::int64_t>(value));
    }
    void bind_one(int index, double value) { bind_real(index, value); }
    void bind_one(int index, std::string_view value) { bind_text(index, value); }
    void bind_one(int index, std::nullopt_t) { bind_null(index); }
    template <class Value>
    void bind_one(int index, const std::optional<Value>& value) {
        if (value) {
            bind_one(index, *value);
        } else {
            bind_null(index);
        }
    }

    void bind_integer(int index, std::int64_t value);
    void bind_real(int index, double value);
    void bind_text(int index, std::string_view value);
    void bind_null(int index);
    void check(int result);

    sqlite3* database_;
    sqlite3_stmt* statement_ = nullptr;
};

}  // namespace redtune::db
