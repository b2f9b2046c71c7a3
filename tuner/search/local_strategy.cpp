#include "tuner/search/local_strategy.h"

#include <algorithm>

#include "tuner/search/sampling.h"

namespace redtune::search {

namespace {

constexpr std::size_t most_known_starts = 40;

}  // namespace

LocalStrategy::LocalStrategy(const CellKnowledge& knowledge, std::uint64_t seed)
    : neighbourhood_(knowledge.families, knowledge.cell.trials),
      standings_(knowledge.cell.trials.size(), unscreened),
      known_starts_(prior_and_sample(knowledge.cell.trials, knowledge.prior, most_known_starts, 0)),
      random_(knowledge.cell.trials.size(), seed) {
    std::ranges::reverse(known_starts_);
}

std::vector<std::size_t> LocalStrategy::next() {
    while (true) {
        if (position_ && standings_[*position_] > 0) {
            if (std::vector<std::size_t> batch = unscreened_neighbours(); !batch.empty()) return batch;
            if (move_to_best_neighbour()) continue;
        }
        position_ = new_start();
        if (!position_) return {};
        return {*position_};
    }
}

void LocalStrategy::tell(std::size_t trial, const Measurement& screening) {
    standings_[trial] = screening.status == Status::ok ? screening.median_us : failed_or_pruned;
}

void LocalStrategy::tell_pruned(std::size_t trial) {
    standings_[trial] = failed_or_pruned;
}

/// Returns a trial that has not been screened; nothing if all have been.
std::optional<std::size_t> LocalStrategy::new_start() {
    while (!known_starts_.empty()) {
        const std::size_t start = known_starts_.back();
        known_starts_.pop_back();
        if (standings_[start] == unscreened) return start;
    }
    return random_.next([&](std::size_t trial) { return standings_[trial] == unscreened; });
}

/// Moves to the fastest neighbour of the position.
/// @return false if no neighbour is faster than the position
bool LocalStrategy::move_to_best_neighbour() {
    std::size_t best = *position_;
    for (const std::size_t i : neighbourhood_.of(*position_)) {
        if (standings_[i] > 0 && standings_[i] < standings_[best]) best = i;
    }
    if (best == *position_) return false;
    position_ = best;
    return true;
}

std::vector<std::size_t> LocalStrategy::unscreened_neighbours() const {
    std::vector<std::size_t> found = neighbourhood_.of(*position_);
    std::erase_if(found, [&](std::size_t i) { return standings_[i] != unscreened; });
    return found;
}

}  // namespace redtune::search
