#include "tuner/cli/listing_table.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

/// Returns the column of this name. It shows three decimals for times (1 ns), shares, ratios and the spread, and one
/// decimal for other numbers.
Column column(const std::string& name, Visibility visibility) {
    const bool fine = name.ends_with("_us") || name.starts_with("share") || name.ends_with("ratio") || name == "spread";
    return {name, fine ? 3 : 1, visibility};
}

}  // namespace

void ListingTable::add(const db::Listing& listing) {
    if (!table_) create_table(listing.columns);
    for (const auto& row : listing.rows) {
        std::vector<Cell> cells;
        for (const std::size_t i : shown_) cells.push_back(shown_cell(listing.columns[i], row[i]));
        table_->add(std::move(cells));
    }
}

void ListingTable::add(const db::Listing& listing, std::string_view layer) {
    db::Listing layered = listing;
    layered.columns.insert(layered.columns.begin(), "layer");
    for (auto& row : layered.rows) row.emplace(row.begin(), std::string(layer));
    add(layered);
}

void ListingTable::print() const {
    if (table_) table_->print(std::cout, format_);
}

void ListingTable::create_table(const std::vector<std::string>& names) {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto wanted = std::find_if(for_people_.begin(), for_people_.end(),
                                         [&](const ShownColumn& each) { return each.name == names[i]; });
        if (is_human_readable() && !for_people_.empty() && wanted == for_people_.end()) continue;
        columns.push_back(column(names[i], wanted == for_people_.end() ? Visibility::always : wanted->visibility));
        shown_.push_back(i);
    }
    table_.emplace(std::move(columns));
}

Cell ListingTable::shown_cell(const std::string& name, const db::Field& field) const {
    const bool is_size = name == "n" || name.ends_with("_n");
    const auto* n = std::get_if<std::int64_t>(&field);
    if (is_human_readable() && is_size && n != nullptr) return format_size(static_cast<std::uint64_t>(*n));
    return std::visit([](const auto& value) { return Cell(value); }, field);
}

}  // namespace redtune::cli
