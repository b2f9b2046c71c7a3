#include "tuner/search/surrogate_strategy.h"

#include <algorithm>
#include <utility>

#include "tuner/search/neighbours.h"
#include "tuner/search/sampling.h"

namespace redtune::search {

namespace {

constexpr std::size_t first_from_prior = 10;
constexpr std::size_t first_batch = 20;
constexpr std::size_t least_batch = 10;
/// A later batch has at least this share of the trials screened so far, because they change the model little.
constexpr std::size_t batch_share = 8;

}  // namespace

SurrogateStrategy::SurrogateStrategy(const CellKnowledge& knowledge, std::uint64_t seed)
    : model_(knowledge, seed),
      first_(prior_and_sample(knowledge.cell.trials, knowledge.prior, first_from_prior, 0)),
      standings_(knowledge.cell.trials.size(), unscreened),
      is_requested_(knowledge.cell.trials.size()),
      random_order_(knowledge.cell.trials.size(), seed) {}

std::vector<std::size_t> SurrogateStrategy::next() {
    const bool is_first = std::ranges::none_of(standings_, [](double us) { return us > 0; });
    const auto screened =
        static_cast<std::size_t>(std::ranges::count_if(standings_, [](double us) { return us != unscreened; }));
    const std::size_t size = is_first ? first_batch : std::max(least_batch, screened / batch_share);
    std::vector<std::size_t> batch;
    const auto add = [&](std::size_t trial) {
        batch.push_back(trial);
        is_requested_[trial] = true;
    };
    for (const std::size_t trial : std::exchange(first_, {})) {
        if (is_left(trial)) add(trial);
    }
    if (!is_first) {
        for (const std::size_t trial : model_.lowest_bounds(standings_, is_requested_, size - 1)) add(trial);
    }
    while (batch.size() < size) {
        const auto trial = random_order_.next([&](std::size_t i) { return is_left(i); });
        if (!trial) break;
        add(*trial);
    }
    return batch;
}

void SurrogateStrategy::tell(std::size_t trial, const Measurement& screening) {
    standings_[trial] = screening.status == Status::ok ? screening.median_us : failed_or_pruned;
}

void SurrogateStrategy::tell_pruned(std::size_t trial) {
    standings_[trial] = failed_or_pruned;
}

/// Returns whether a trial has neither been screened nor requested.
bool SurrogateStrategy::is_left(std::size_t trial) const {
    return standings_[trial] == unscreened && !is_requested_[trial];
}

}  // namespace redtune::search
