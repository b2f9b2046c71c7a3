#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "db/store.h"
#include "redtune/problem.h"

namespace redtune::search {

/// What similar cells say about a configuration, by its text: its time over the best of such a cell, in the cell where
/// that ratio is least. Configurations that did badly everywhere are not in it.
using Prior = std::map<std::string, double>;

/// Adds the configurations whose time is within quick_prior_within of the best of another cell.
/// @return whether any measurement of that cell is ok
bool add_to_prior(Prior& prior, std::span<const db::StoredMeasurement> cell);

/// A size and a regime.
using CellKey = std::pair<std::uint64_t, Regime>;

/// The other cells of a sweep, the most similar to `cell` first: its own regime first, in each regime the nearest sizes
/// first.
std::vector<CellKey> cells_by_distance(const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes,
                                       const CellKey& cell);

/// The problems of the same shape that have the same input width or the same operator, the most similar first.
std::vector<Problem> similar_problems(const std::vector<Problem>& problems, const Problem& problem);

}  // namespace redtune::search
