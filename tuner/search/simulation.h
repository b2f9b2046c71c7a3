#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "redtune/catalog.h"
#include "redtune/problem.h"
#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/strategy.h"

namespace redtune::search {

/// The times of other sizes that a strategy knows (Prior) when the search of a size begins.
enum class Known : std::uint8_t {
    nothing,
    neighbours,  ///< all times of the nearest other sizes
    earlier,     ///< what the same strategy screened at the nearest sizes that it searched before, as in a sweep
    in_flight    ///< as `earlier`, but with most_cells_in_flight() sizes searched at a time, each of which knows only
                 ///< those that have ended
};

/// A request to compare strategies on recorded measurements.
struct SimulationRequest {
    Problem problem;
    std::vector<std::uint64_t> sizes;
    Regime regime = Regime::cold;
    std::vector<StrategyKind> strategies;
    std::size_t seeds = 30;            ///< searches of each size by a strategy that chooses at random
    std::vector<std::size_t> budgets;  ///< numbers of screenings after which the search is judged, in ascending order
    Known known = Known::nothing;
    const Catalog* catalog = nullptr;  ///< as SweepRequest::catalog
};

/// How good a strategy is after a number of screenings: quantiles over all sizes and seeds. The regret is the time of
/// the configuration that the tuner would choose then, over the best time of the recording, minus 1; infinite if all
/// screened trials failed.
struct SimulatedSearch {
    StrategyKind strategy = StrategyKind::exhaustive;
    std::size_t budget = 0;  ///< most screenings of a size
    double screenings = 0;   ///< mean number of screenings of a size; a strategy may end before its budget is spent
    double share = 0;        ///< mean share of the candidates that were screened
    double kernels = 0;      ///< mean number of kernels of a size that no size searched before it had asked for
    double gpu_s = 0;        ///< mean GPU time of the screenings of a size, in seconds, without compilation
    double regret_median = 0;
    double regret_95 = 0;  ///< 95 % of the searches have no larger regret
    double regret_largest = 0;
};

/// Returns those of `sizes` at which the executor has a time of nearly every candidate, at least nine of ten. At other
/// sizes of a recording only those near the best of a neighbouring size were measured.
std::vector<std::uint64_t> searchable_sizes(const Executor& recorded, const std::vector<Family>& families,
                                            const Problem& problem, Regime regime, std::vector<std::uint64_t> sizes);

/// Lets strategies search sizes whose candidates have all been measured, and judges them after each budget.
///
/// A search ends as the tuner's does: the fastest screened trials become survivors, and the fastest of these is chosen.
/// The time of a trial is that of the latest stage that was recorded for it.
/// @return one result for each strategy and budget
std::vector<SimulatedSearch> simulate(Executor& recorded, const std::vector<Family>& families,
                                      const SimulationRequest& request);

}  // namespace redtune::search
