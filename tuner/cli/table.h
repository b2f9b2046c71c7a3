#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace redtune::cli {

/// How results are printed. table: aligned columns for people, fitted to the terminal. wide_table: the same with every
/// column and nothing abbreviated, however long the lines get. md, json and csv also have everything.
enum class Format : std::uint8_t { table, wide_table, json, csv, md };

/// A text that Format::table shortens.
struct Abbreviated {
    std::string full;
    std::string brief;

    friend bool operator==(const Abbreviated&, const Abbreviated&) = default;
};

/// Nothing, text, a whole number, a number, or yes/no.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double, bool, Abbreviated>;

/// When Format::table shows a column. Every other format always does.
enum class Visibility : std::uint8_t {
    always,
    if_varied,  ///< where two rows differ in it
    never
};

struct Column {
    std::string name;  ///< carries its unit: "time_us"
    int decimals = 2;  ///< of doubles in table and md; json and csv keep full precision
    Visibility visibility = Visibility::always;
};

/// Rows under named columns, printed as an aligned table, JSON objects in an array, RFC 4180 CSV, or
/// GitHub Markdown. Numbers are right-aligned.
class Table {
  public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// Adds a row with one cell for each column.
    /// @throws std::invalid_argument for another number of cells
    void add(std::vector<Cell> row);
    std::size_t size() const { return rows_.size(); }

    /// Prints all rows. Format::table breaks the longest texts at spaces, so that a line takes at most table_columns()
    /// of stdout; where that is not possible, lines stay as long as they are.
    void print(std::ostream& out, Format format) const;
    /// As above, with at most `columns` in a line of Format::table.
    void print(std::ostream& out, Format format, std::size_t columns) const;

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

}  // namespace redtune::cli
