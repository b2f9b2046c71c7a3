#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
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
///
/// If several units measure, each size is the work of one of them, and the others confirm none: that would take as long
/// as to decide these sizes, which few configurations compete for.
class BetweenStage {
  public:
    /// The earlier measurements of each unit of the sweep.
    using Histories = std::vector<const History*>;

    /// All arguments but the histories must outlive the object, and so must what the histories point to.
    BetweenStage(const SweepContext& sweep, const std::vector<Family>& families, const SweepRequest& request,
                 Histories histories)
        : sweep_(sweep), families_(families), request_(request), histories_(std::move(histories)) {}

    /// Returns whether run() has anything left to measure: the request asks for sizes between its own, and either such
    /// a size has no winner on any unit or no screenings yet, or the latest sweep of the problem did not finish.
    /// @param executor of any of the units
    static bool has_work(const Executor& executor, const Histories& histories, const SweepRequest& request);

    /// Tunes the sizes. Returns early if the sweep is to stop.
    /// @throws DeviceError if the device is lost
    void run();

  private:
    /// The steps that a unit takes with the sizes of a list.
    struct SizeSteps {
        std::function<bool(std::uint64_t)> is_decided;  ///< before any unit begins
        std::function<void(std::uint64_t)> decide;
    };

    void run(Regime regime);
    void divide(const std::string& list, const std::vector<std::uint64_t>& sizes, Regime regime,
                const SizeSteps& steps);
    void search(std::uint64_t n, Regime regime);
    void tune(std::uint64_t n, Regime regime);
    void refine(const std::vector<std::uint64_t>& sizes, Regime regime);
    void refine_between(std::uint64_t low, std::uint64_t high, Regime regime);
    bool needs_middle(std::uint64_t low, std::uint64_t high, Regime regime);
    void time_winner_at(const Configuration& other, std::uint64_t n, Regime regime);
    std::optional<Configuration> winner(const CellKey& cell) const;
    const std::vector<Configuration>& near_best_at(std::uint64_t n, Regime regime);

    SweepContext sweep_;
    const std::vector<Family>& families_;
    const SweepRequest& request_;
    Histories histories_;
    std::vector<std::uint64_t> searched_;  ///< requested sizes and searched sizes between them, ascending
    std::map<CellKey, std::vector<Configuration>> near_best_;
};

}  // namespace redtune::search
