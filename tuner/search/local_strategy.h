#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tuner/search/neighbours.h"
#include "tuner/search/random_trials.h"
#include "tuner/search/strategy.h"

namespace redtune::search {

/// Hill climbing from several starts. From a start it screens all neighbours, goes on from the best of them as long as
/// that is faster, and then begins again. The first starts are the trials of the prior, the best first; the others are
/// random. It ends when every trial has been screened.
class LocalStrategy final : public Strategy {
  public:
    LocalStrategy(const CellKnowledge& knowledge, std::uint64_t seed);

    std::vector<std::size_t> next() override;
    void tell(std::size_t trial, const Measurement& screening) override;
    void tell_pruned(std::size_t trial) override;
    bool allows_pruning() const override { return true; }

  private:
    std::optional<std::size_t> new_start();
    bool move_to_best_neighbour();
    std::vector<std::size_t> unscreened_neighbours() const;

    Neighbourhood neighbourhood_;
    std::vector<double> standings_;          ///< for each trial: its median in us, `unscreened` or `failed_or_pruned`
    std::vector<std::size_t> known_starts_;  ///< trials of the prior that have not been starts yet, the best one last
    RandomTrials random_;
    std::optional<std::size_t> position_;  ///< the start, or the trial that the climb has moved to
};

}  // namespace redtune::search
