#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "db/store.h"
#include "tuner/search/executor.h"

/// Which candidates of a cell (one size in one regime) to screen next, given what is known. Pure functions.
namespace redtune::search {

/// By configuration: its time over the best, in the cell like this one where it did best.
using Prior = std::map<std::string, double>;

/// Adds what is within quick_within of the best of another cell. @return whether anything there is ok
bool add_prior(Prior& prior, std::span<const db::StoredMeasurement> cell);

/// A size and a regime.
using CellKey = std::pair<std::uint64_t, Regime>;

/// The cells of a sweep by how much they say about one of them, which is left out: its own regime first, in each regime
/// the nearest sizes first.
std::vector<CellKey> by_nearness(const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes,
                                 const CellKey& cell);

/// Of the problems that are alike (same shape; same input width or same operator), the most alike first.
std::vector<Problem> alike(const std::vector<Problem>& problems, const Problem& problem);

/// `sample` of `count` places, spread evenly but not regularly, which would meet the same parameter values again and
/// again. Ascending; all where there are no more.
std::vector<std::size_t> spread(std::size_t count, std::size_t sample);

/// The promising trials, the most promising first, so many at most; then a spread sample of so many of all, and some of
/// each family. Trials of a family are next to each other.
std::vector<std::size_t> promising_and_sample(std::span<const Trial> trials, const Prior& prior,
                                              std::size_t most_promising, std::size_t sample);

/// All trials, in the order in which the best is likely to be met early.
std::vector<std::size_t> all_by_prior(std::span<const Trial> trials, const Prior& prior);

/// Where a trial stands: its median in us; `failed`, or `open` where it was not screened.
inline constexpr double open = 0;
inline constexpr double failed = -1;

/// Open trials that lie beside one of the best `from`, or beside the best of a family that is nearly as good: of the
/// same family, they differ in one parameter, which has the next value there is, or in two, of which one has the next
/// higher and one the next lower value.
std::vector<std::size_t> beside_the_best(std::span<const Trial> trials, std::span<const double> standings,
                                         std::size_t from);

}  // namespace redtune::search
