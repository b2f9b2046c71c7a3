#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace redtune::db {

/// A prepared statement. Belongs to its connection's thread and must not outlive the connection.
/// Every member that reaches SQLite throws DatabaseError.
class Statement {
  public:
    /// @throws DatabaseError where SQLite refuses the statement.
    Statement(sqlite3* database, std::string_view sql);
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    /// Starts over with these as ?1, ?2 ...: numbers, text, std::nullopt, or optionals of them.
    template <class... Values>
    Statement& bind(const Values&... values) {
        reset();
        int index = 0;
        (bind_one(++index, values), ...);
        return *this;
    }

    /// Moves to the next row. False at the end, and then the statement holds no lock.
    bool step();
    /// To the end, whatever rows there are.
    void run();
    /// The first row's first column, where there is a row. The statement holds no lock afterwards.
    std::optional<std::int64_t> value();
    void reset() noexcept;

    int columns() const noexcept;
    std::string name(int column) const;

    // Of the current row; columns count from 0. NULL reads as 0 and "".
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
