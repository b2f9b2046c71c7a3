#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tuner/search/cell_runner.h"

namespace redtune::search {

/// Tunes sizes between the requested ones, after these. The one in the middle of each two requested sizes is searched
/// with quick effort: what is the best there is often no candidate at powers of two. At the others only few trials are
/// measured: the configurations that are near the best at the nearest searched sizes. Where neighbouring winners
/// differ, each is timed at the other's size as well, so that a look-up can compare them in between, and further sizes
/// are tuned in the middle until a look-up cannot lose much there.
class BetweenStage {
  public:
    BetweenStage(const SweepContext& sweep, const std::vector<Family>& families, const SweepRequest& request)
        : sweep_(sweep), families_(families), request_(request) {}

    /// Returns whether sizes between the requested ones are asked for and are not complete: the executor can measure
    /// one that has no finalists yet, or the latest sweep of the problem did not finish.
    static bool has_work(const Executor& executor, const History& history, const SweepRequest& request);

    /// Returns early if the sweep is to stop.
    /// @throws DeviceError if the device is lost
    void run();

  private:
    void run(Regime regime);
    void search(std::uint64_t n, Regime regime);
    void tune(std::uint64_t n, Regime regime);
    void refine(std::vector<std::uint64_t> sizes, Regime regime);
    bool needs_middle(std::uint64_t low, std::uint64_t high, Regime regime);
    void time_winner_at(const Configuration& winner, std::uint64_t n, Regime regime);
    Cell cell_of(std::uint64_t n, Regime regime, const std::vector<Configuration>& configurations) const;
    const std::vector<Configuration>& near_best_at(std::uint64_t n, Regime regime);

    SweepContext sweep_;
    const std::vector<Family>& families_;
    const SweepRequest& request_;
    std::vector<std::uint64_t> searched_;  ///< the requested sizes and those that were searched between them
    std::map<CellKey, std::vector<Configuration>> near_best_;
};

}  // namespace redtune::search
