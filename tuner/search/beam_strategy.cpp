#include "tuner/search/beam_strategy.h"

#include "tuner/search/sampling.h"

namespace redtune::search {

namespace {

/// The first batch has at most from_prior trials of the prior and a stratified sample of about `sample` trials.
constexpr std::size_t from_prior = 40;
constexpr std::size_t sample = 12;
constexpr std::size_t sample_without_prior = 150;
/// Size of the beam. The search ends when screening its neighbours improves the best time by less than the factor
/// `improvement`.
constexpr std::size_t beam = 3;
constexpr double improvement = 1.01;

/// Returns the least median of a screened trial; 0 if no trial has a median.
double least_median(const std::vector<double>& standings) {
    double best = 0;
    for (const double us : standings) {
        if (us > 0 && (best == 0 || us < best)) best = us;
    }
    return best;
}

}  // namespace

BeamStrategy::BeamStrategy(const CellKnowledge& knowledge)
    : knowledge_(knowledge), standings_(knowledge.cell.trials.size(), unscreened) {}

std::vector<std::size_t> BeamStrategy::next() {
    if (!has_begun_) {
        has_begun_ = true;
        return prior_and_sample(knowledge_.cell.trials, knowledge_.prior, from_prior,
                                knowledge_.prior.empty() ? sample_without_prior : sample);
    }
    const double before_us = best_us_;
    best_us_ = least_median(standings_);
    if (before_us != 0 && before_us < best_us_ * improvement) return {};
    if (!neighbourhood_) neighbourhood_.emplace(knowledge_.families, knowledge_.cell.trials);
    return neighbours_of_best(*neighbourhood_, standings_, beam);
}

void BeamStrategy::tell(std::size_t trial, const Measurement& screening) {
    standings_[trial] = screening.status == Status::ok ? screening.median_us : failed_or_pruned;
}

void BeamStrategy::tell_pruned(std::size_t trial) {
    standings_[trial] = failed_or_pruned;
}

}  // namespace redtune::search
