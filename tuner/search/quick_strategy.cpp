#include "tuner/search/quick_strategy.h"

#include "tuner/search/effort.h"
#include "tuner/search/sampling.h"

namespace redtune::search {

namespace {

/// Returns the least median of a screened trial; 0 if no trial has a median.
double least_median(const std::vector<double>& standings) {
    double best = 0;
    for (const double us : standings) {
        if (us > 0 && (best == 0 || us < best)) best = us;
    }
    return best;
}

}  // namespace

QuickStrategy::QuickStrategy(const CellKnowledge& knowledge)
    : knowledge_(knowledge),
      standings_(knowledge.cell.trials.size(), unscreened),
      screens_all_trials_(knowledge.cell.screens_all_trials || knowledge.prior.empty()) {}

std::vector<std::size_t> QuickStrategy::next() {
    if (!has_begun_) {
        has_begun_ = true;
        return first_batch();
    }
    if (screens_all_trials_) return {};
    const double before_us = best_us_;
    best_us_ = least_median(standings_);
    if (before_us != 0 && before_us < best_us_ * quick_improvement) return {};
    if (!neighbourhood_) neighbourhood_.emplace(knowledge_.families, knowledge_.cell.trials);
    return neighbours_of_best(*neighbourhood_, standings_, knowledge_.cell.is_anchor ? quick_anchor_beam : quick_beam);
}

void QuickStrategy::tell(std::size_t trial, const Measurement& screening) {
    standings_[trial] = screening.status == Status::ok ? screening.median_us : failed_or_pruned;
}

void QuickStrategy::tell_pruned(std::size_t trial) {
    standings_[trial] = failed_or_pruned;
}

std::vector<std::size_t> QuickStrategy::first_batch() const {
    const Cell& cell = knowledge_.cell;
    if (screens_all_trials_) return all_in_prior_order(cell.trials, knowledge_.prior);
    return prior_and_sample(cell.trials, knowledge_.prior, cell.is_anchor ? quick_anchor_from_prior : quick_from_prior,
                            cell.is_anchor ? quick_anchor_sample : quick_sample);
}

std::size_t QuickStrategy::usual_screenings(bool is_anchor) {
    constexpr std::size_t neighbours_of_each = 12;
    return is_anchor ? quick_anchor_from_prior + quick_anchor_sample + quick_anchor_beam * neighbours_of_each
                     : quick_from_prior + quick_sample + quick_beam * neighbours_of_each;
}

}  // namespace redtune::search
