#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "db/inspection.h"
#include "tuner/cli/table.h"

namespace redtune::cli {

/// A column of a listing that human-readable tables show.
struct ShownColumn {
    std::string name;
    Visibility visibility = Visibility::always;  ///< when Format::table shows the column; md always shows it
};

/// Collects the rows of listings that have the same columns and prints them as one table. Human-readable tables (table,
/// md) have only the given columns, and show sizes as 16Mi. All other formats have every column.
class ListingTable {
  public:
    /// @param for_people the columns of human-readable tables; empty: all columns
    ListingTable(Format format, std::vector<ShownColumn> for_people)
        : format_(format), for_people_(std::move(for_people)) {}

    void add(const db::Listing& listing);
    /// Adds the rows of a listing, with `layer` as the value of their first column.
    void add(const db::Listing& listing, std::string_view layer);

    std::size_t size() const { return table_ ? table_->size() : 0; }
    void print() const;

  private:
    bool is_human_readable() const { return format_ == Format::table || format_ == Format::md; }
    void create_table(const std::vector<std::string>& names);
    Cell shown_cell(const std::string& name, const db::Field& field) const;

    Format format_;
    std::vector<ShownColumn> for_people_;
    std::vector<std::size_t> shown_;  ///< indices of the listing's columns that the table shows
    std::optional<Table> table_;
};

}  // namespace redtune::cli
