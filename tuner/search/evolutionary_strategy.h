#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tuner/search/neighbours.h"
#include "tuner/search/random_trials.h"
#include "tuner/search/strategy.h"
#include "tuner/search/surrogate_model.h"

namespace redtune::search {

/// Evolutionary search. The first generation has the likely trials of a model, the best ones of the prior, and if these
/// are few, random ones. Each later generation has random neighbours of the fastest trial so far, trials that are bred
/// from two parents, and some that a surrogate model expects to be fast. A parent is the faster of two random ones of
/// the fastest trials so far; what is bred has some parameters of the one and the others of the other. Where no such
/// trial is left, it is a neighbour of the first parent, and else a random trial. The search ends when every trial has
/// been screened.
class EvolutionaryStrategy final : public Strategy {
  public:
    EvolutionaryStrategy(const CellKnowledge& knowledge, std::uint64_t seed);

    std::vector<std::size_t> next() override;
    /// Returns a neighbour of the fastest trial that has one which is ready, or else a trial bred from two, or else one
    /// that the surrogate model expects to be fast.
    std::optional<std::size_t> spare(const std::function<bool(std::size_t)>& is_ready) override;
    void tell(std::size_t trial, const Measurement& screening) override;
    void tell_pruned(std::size_t trial) override;
    bool allows_pruning() const override { return true; }

  private:
    /// A family and the position in its parameter space.
    using Place = std::pair<std::string, Neighbourhood::Coordinates>;

    Place place_of(std::size_t trial) const;
    bool is_left(std::size_t trial) const;
    void keep_fastest_parents();
    std::size_t parent();
    std::optional<std::size_t> child();
    std::optional<std::size_t> crossed(std::size_t first, std::size_t second);
    std::optional<std::size_t> mutated(std::size_t trial);
    std::optional<std::size_t> ready_descendant(const std::function<bool(std::size_t)>& is_ready);
    std::optional<std::size_t> ready_of_model(const std::function<bool(std::size_t)>& is_ready);
    std::vector<std::size_t> chosen_by_model(const std::function<bool(std::size_t)>& is_ready);

    Neighbourhood neighbourhood_;
    std::map<Place, std::size_t> trial_at_;
    std::vector<double> standings_;     ///< for each trial: its median in us, `unscreened` or `failed_or_pruned`
    std::vector<std::size_t> parents_;  ///< the fastest trials so far, and those screened since the last generation
    std::vector<std::size_t> first_;    ///< likely trials and those of the prior, which begin the first generation
    std::vector<bool> is_requested_;    ///< for each trial, whether next() has returned it
    std::size_t screened_ = 0;          ///< number of trials that tell() was called for
    std::function<bool(std::size_t)> has_kernels_;
    RandomTrials random_;
    SurrogateModel model_;
    std::vector<std::size_t> spares_of_model_;  ///< the best one last
};

}  // namespace redtune::search
