#include "tuner/search/surrogate_strategy.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "tuner/search/neighbours.h"
#include "tuner/search/sampling.h"
#include "tuner/search/trial_features.h"

namespace redtune::search {

namespace {

constexpr std::size_t first_from_prior = 10;
constexpr std::size_t first_batch = 20;
constexpr std::size_t least_batch = 10;
/// A later batch has at least this share of the trials screened so far, because they change the model little.
constexpr std::size_t batch_share = 8;
/// A batch of least_batch trials has the best_of_all trials with the lowest bounds; a larger batch has the same share
/// of them. The other trials belong to different families, so that a family that the model hardly knows is not left
/// out.
constexpr std::size_t best_of_all = 6;
/// The lower confidence bound is the predicted mean minus this many deviations. Over the recorded H200 (2026-11-24),
/// 0.3 found better configurations than 0 and 1.
constexpr double deviations_below = 0.3;
/// A trial that failed counts as this many times slower than the slowest one, so that the model avoids its like.
constexpr double failed_factor = 2;

}  // namespace

SurrogateStrategy::SurrogateStrategy(const CellKnowledge& knowledge, std::uint64_t seed)
    : trials_(knowledge.cell.trials),
      features_(features_of(trials_, knowledge.cell.n, knowledge.prior)),
      first_(prior_and_sample(trials_, knowledge.prior, first_from_prior, 0)),
      standings_(knowledge.cell.trials.size(), unscreened),
      is_requested_(knowledge.cell.trials.size()),
      random_order_(knowledge.cell.trials.size(), seed),
      random_(seed) {}

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
        for (const std::size_t trial : lowest_bounds(size - 1)) add(trial);
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

/// Returns at most `count` trials that are left: those with the least lower confidence bound, and then the best of each
/// family that is not among them. At least one trial must have a time.
std::vector<std::size_t> SurrogateStrategy::lowest_bounds(std::size_t count) {
    const double slowest = *std::ranges::max_element(standings_);
    std::vector<std::size_t> examples;
    std::vector<double> targets;
    std::vector<std::pair<double, std::size_t>> bounds;
    for (std::size_t i = 0; i < standings_.size(); ++i) {
        if (standings_[i] != unscreened) {
            examples.push_back(i);
            targets.push_back(std::log(standings_[i] > 0 ? standings_[i] : failed_factor * slowest));
        } else if (is_left(i)) {
            bounds.emplace_back(0, i);
        }
    }
    const RegressionForest model(features_, examples, targets, random_);
    for (auto& [bound, trial] : bounds) {
        const RegressionForest::Prediction predicted = model.predict(features_.row(trial));
        bound = predicted.mean - deviations_below * predicted.deviation;
    }
    std::ranges::sort(bounds);
    std::vector<std::size_t> chosen;
    std::set<std::string> families;
    for (const auto& [bound, trial] : bounds) {
        if (chosen.size() == count) break;
        const bool is_first = families.insert(trials_[trial].configuration.family).second;
        if (chosen.size() < count * best_of_all / least_batch || is_first) chosen.push_back(trial);
    }
    return chosen;
}

}  // namespace redtune::search
