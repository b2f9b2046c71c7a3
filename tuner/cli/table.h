#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace redtune::cli {

enum class Format : std::uint8_t { table, json, csv, md };

/// Nothing, text, a whole number, a number, or yes/no.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

struct Column {
    std::string name;  ///< carries its unit: "time_us"
    int decimals = 2;  ///< of doubles in table and md; json and csv keep full precision
};

/// Rows under named columns, printed as an aligned table, JSON objects in an array, RFC 4180 CSV, or
/// GitHub Markdown. Numbers are right-aligned.
class Table {
  public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// One cell for each column.
    void add(std::vector<Cell> row);
    std::size_t size() const { return rows_.size(); }
    void print(std::ostream& out, Format format) const;

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

}  // namespace redtune::cli
