#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "db/inspection.h"
#include "tuner/cli/table.h"

namespace redtune::cli {

/// Collects the rows of listings that have the same columns and prints them as one table. Tables for people (table, md)
/// show only the wanted columns, and sizes as 16Mi; json and csv have everything.
class ListingTable {
  public:
    /// @param for_people the columns of tables for people; empty: all
    ListingTable(Format format, std::vector<std::string> for_people)
        : format_(format), for_people_(std::move(for_people)) {}

    void add(const db::Listing& listing);
    /// Adds the rows after a first column `layer`.
    void add(const db::Listing& listing, std::string_view layer);

    std::size_t size() const { return table_ ? table_->size() : 0; }
    void print() const;

  private:
    bool is_for_people() const { return format_ == Format::table || format_ == Format::md; }
    void start(const std::vector<std::string>& names);
    Cell shown_cell(const std::string& name, const db::Field& field) const;

    Format format_;
    std::vector<std::string> for_people_;
    std::vector<std::size_t> shown_;
    std::optional<Table> table_;
};

}  // namespace redtune::cli
