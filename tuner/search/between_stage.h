#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tuner/search/cell_runner.h"

namespace redtune::search {

/// Tunes sizes between the requested sizes, after these were tuned.
///
/// Standard effort searches the middle one of the sizes between two requested sizes, because the best configuration
/// there is often no candidate at powers of two. The other sizes measure only configurations that are near the best at
/// the nearest searched sizes. If the winners of two neighbouring sizes differ, each winner is also timed at the other
/// size, so that a look-up can interpolate its time. Further sizes are tuned in the middle of two neighbours until
/// look-ups between them can lose little.
class BetweenStage {
  public:
    BetweenStage(const SweepContext& sweep, const std::vector<Family>& families, const SweepRequest& request)
        : sweep_(sweep), families_(families), request_(request) {}

    /// Returns whether run() has anything left to measure: the request asks for sizes between its own, and either such
    /// a size has no winner or no screenings yet, or the latest sweep of the problem did not finish.
    static bool has_work(const Executor& executor, const History& history, const SweepRequest& request);

    /// Tunes the sizes. Returns early if the sweep is to stop.
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
    std::vector<std::uint64_t> searched_;  ///< requested sizes and searched sizes between them, ascending
    std::map<CellKey, std::vector<Configuration>> near_best_;
};

}  // namespace redtune::search
