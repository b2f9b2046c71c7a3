#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace redtune::cli {

/// The output formats. table: aligned columns, fitted to the terminal. wide_table: the same with every column and no
/// abbreviations, even if lines get long. md, json and csv also show every column.
enum class Format : std::uint8_t { table, wide_table, json, csv, md };

/// A text with a shorter form, which Format::table shows.
struct Abbreviated {
    std::string full;
    std::string brief;

    friend bool operator==(const Abbreviated&, const Abbreviated&) = default;
};

/// The value of one cell: nothing, a text, an integer, a floating-point number, a boolean, or a text with a shorter
/// form.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double, bool, Abbreviated>;

/// Says when Format::table shows a column. All other formats show every column.
enum class Visibility : std::uint8_t {
    always,
    if_varied,  ///< if two rows have different values in the column
    if_any,     ///< if a row has a value in the column
    if_room,    ///< if the table still fits; the rightmost such column is left out first
    if_varied_and_room,
    never
};

struct Column {
    std::string name;  ///< ends with the unit: "time_us"
    int decimals = 2;  ///< decimals of doubles in table and md; json and csv keep full precision
    Visibility visibility = Visibility::always;
};

/// Holds rows under named columns and prints them as an aligned table, an array of JSON objects, RFC 4180 CSV, or
/// GitHub Markdown. Numbers are right-aligned.
class Table {
  public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// Adds a row with one cell for each column.
    /// @throws std::invalid_argument for another number of cells
    void add(std::vector<Cell> row);
    std::size_t size() const { return rows_.size(); }

    /// Prints all rows. Format::table keeps its lines within table_columns() of stdout: it breaks the longest texts at
    /// spaces and commas, then leaves out columns that are shown if there is room, and then breaks texts also at
    /// colons, underscores, slashes and equals signs, but no times. If that is not enough, it breaks no text.
    void print(std::ostream& out, Format format) const;
    /// Prints all rows. Lines of Format::table have at most `columns` columns.
    void print(std::ostream& out, Format format, std::size_t columns) const;

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

}  // namespace redtune::cli
