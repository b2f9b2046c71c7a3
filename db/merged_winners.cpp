#include "db/merged_winners.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace redtune::db {

namespace {

using Fields = std::vector<Field>;

constexpr std::array<std::string_view, 8> cell_columns = {"device",           "op",          "dtype",  "shape",
                                                          "accumulator_type", "output_type", "regime", "n"};

/// Returns the fields of a row that identify the winner's device, problem, regime and n.
Fields cell_of(const Listing& listing, const Fields& row) {
    Fields cell;
    for (const std::string_view column : cell_columns) cell.push_back(row[listing.column(column)]);
    return cell;
}

/// Returns the rows, with adjacent rows of the same measurement joined into one row. list_winners() sorts such rows
/// next to each other.
std::vector<Fields> join_determinisms(const Listing& listing, std::vector<Fields> rows) {
    const std::size_t id = listing.column("measurement_id");
    const std::size_t determinism = listing.column("determinism");
    std::vector<Fields> joined;
    for (Fields& row : rows) {
        if (!joined.empty() && joined.back()[id] == row[id] &&
            cell_of(listing, joined.back()) == cell_of(listing, row)) {
            std::get<std::string>(joined.back()[determinism]) += ", " + std::get<std::string>(row[determinism]);
        } else {
            joined.push_back(std::move(row));
        }
    }
    return joined;
}

}  // namespace

Listing list_merged_winners(const std::vector<Layer>& layers, const WinnerFilter& filter) {
    std::vector<Listing> listings;
    for (const Layer& layer : layers) listings.push_back(list_winners(layer.open(), filter));
    std::set<Fields> seen;  // cell and determinism of every winner that hides the following ones
    std::vector<std::pair<Fields, Fields>> merged;
    Listing result;
    // As in look-ups, winners of replays come last.
    for (const bool replayed : {false, true}) {
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const Listing& listing = listings[i];
            const std::size_t determinism = listing.column("determinism");
            const std::size_t source = listing.column("source");
            std::vector<Fields> visible;
            std::vector<Fields> of_layer;
            for (const Fields& row : listing.rows) {
                if (is_replay(std::get<std::string>(row[source])) != replayed) continue;
                Fields cell = cell_of(listing, row);
                cell.push_back(row[determinism]);
                if (seen.contains(cell)) continue;
                of_layer.push_back(std::move(cell));
                visible.push_back(row);
            }
            seen.insert(of_layer.begin(), of_layer.end());
            for (Fields& row : join_determinisms(listing, std::move(visible))) {
                Fields cell = cell_of(listing, row);
                row.insert(row.begin(), Field(std::string(layers[i].name)));
                merged.emplace_back(std::move(cell), std::move(row));
            }
            result.columns = listing.columns;
        }
    }
    result.columns.insert(result.columns.begin(), "layer");
    std::stable_sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [cell, row] : merged) result.rows.push_back(std::move(row));
    return result;
}

}  // namespace redtune::db
