#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "db/store.h"
#include "redtune/problem.h"

namespace redtune::search {

/// A configuration enters the prior if its time in a similar cell is within this factor of the cell's best time.
inline constexpr double prior_within = 1.10;
/// A prior takes configurations from at most prior_cells other cells of the problem, and from the same cell of at most
/// prior_problems similar problems.
inline constexpr std::size_t prior_cells = 3;
inline constexpr std::size_t prior_problems = 4;

/// Maps the text of a configuration to the least ratio, over all similar cells, of its time to the best time of the
/// cell. It has only configurations that did well in at least one cell.
using Prior = std::map<std::string, double>;

/// Adds the configurations whose time in the measured cell `cell` is within prior_within of the best.
/// @return whether any measurement of that cell is ok
bool add_to_prior(Prior& prior, std::span<const db::StoredMeasurement> cell);

/// A size and a regime.
using CellKey = std::pair<std::uint64_t, Regime>;

/// Returns the other cells of a sweep, the most similar to `cell` first: those of its own regime come first, and within
/// a regime those of the nearest sizes.
std::vector<CellKey> cells_by_distance(const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes,
                                       const CellKey& cell);

/// Returns those of `problems` that have the same shape as `problem` and also its operator or the same input bytes per
/// element, the most similar first. Leaves out `problem` itself, whatever its determinism.
std::vector<Problem> similar_problems(const std::vector<Problem>& problems, const Problem& problem);

}  // namespace redtune::search
