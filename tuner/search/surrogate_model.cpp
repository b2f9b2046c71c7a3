#include "tuner/search/surrogate_model.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "tuner/search/neighbours.h"
#include "tuner/search/trial_features.h"

namespace redtune::search {

namespace {

/// The share of the chosen trials that have the lowest bounds, in per cent. The rest are the best of further families,
/// one of each, so that a family is not left out because the model knows little about it.
constexpr std::size_t percent_of_lowest = 60;
/// The lower confidence bound is the predicted mean minus this many deviations. Over the recorded H200 (2026-11-24),
/// 0.3 found better configurations than 0 and 1.
constexpr double deviations_below = 0.3;
/// The bound of a trial whose kernels must be compiled is raised by this much: it has to be about 5 % faster.
constexpr double cost_of_kernels = 0.05;
/// A trial that failed counts as this many times slower than the slowest one, so that the model avoids its like.
constexpr double failed_factor = 2;

}  // namespace

SurrogateModel::SurrogateModel(const CellKnowledge& knowledge, std::uint64_t seed)
    : trials_(knowledge.cell.trials),
      features_(features_of(trials_, knowledge.cell.n, knowledge.prior)),
      has_kernels_(knowledge.has_kernels),
      random_(seed) {}

std::vector<std::size_t> SurrogateModel::lowest_bounds(std::span<const double> standings,
                                                       const std::vector<bool>& is_requested, std::size_t count) {
    const double slowest = *std::ranges::max_element(standings);
    std::vector<std::size_t> examples;
    std::vector<double> targets;
    std::vector<std::pair<double, std::size_t>> bounds;
    for (std::size_t i = 0; i < standings.size(); ++i) {
        if (standings[i] != unscreened) {
            examples.push_back(i);
            targets.push_back(std::log(standings[i] > 0 ? standings[i] : failed_factor * slowest));
        } else if (!is_requested[i]) {
            bounds.emplace_back(0, i);
        }
    }
    const RegressionForest model(features_, examples, targets, random_);
    for (auto& [bound, trial] : bounds) {
        const RegressionForest::Prediction predicted = model.predict(features_.row(trial));
        bound = predicted.mean - deviations_below * predicted.deviation + (has_kernels_(trial) ? 0 : cost_of_kernels);
    }
    std::ranges::sort(bounds);
    const std::size_t lowest = count * percent_of_lowest / 100;
    std::vector<std::size_t> chosen;
    std::set<std::string> families;
    for (const auto& [bound, trial] : bounds) {
        if (chosen.size() == count) break;
        const bool is_first = families.insert(trials_[trial].configuration.family).second;
        if (chosen.size() < lowest || is_first) chosen.push_back(trial);
    }
    return chosen;
}

}  // namespace redtune::search
