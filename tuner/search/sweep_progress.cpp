#include "tuner/search/sweep_progress.h"

#include <algorithm>
#include <utility>

#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

/// Returns whether a screening was stopped early.
/// @param best_us the best median when the screening began
bool is_stopped_early(const Measurement& screening, double best_us) {
    return screening.status == Status::ok && screening.samples_us.size() < timing::screen_samples && best_us > 0 &&
           screening.minimum_us > timing::early_stop_cutoff * best_us;
}

}  // namespace

ProgressReporter::ProgressReporter(const SweepPlan& plan, std::size_t units,
                                   std::function<void(const SweepProgress&)> show)
    : remaining_s_(plan.estimate_s),
      units_(units),
      show_(std::move(show)),
      done_(plan.stored),
      total_(plan.candidates) {
    for (const Cell& cell : plan.cells) {
        of_cells_left_s_[{cell.n, cell.regime}] = cell.estimate_s;
        result.failed += cell.is_decided ? cell.failed : 0;
    }
}

void ProgressReporter::count_screening(const CellKey& cell, const Measurement& screening, double best_us,
                                       double estimate_s) {
    ++done_;
    total_ = std::max(total_, done_);  // the plan does not count trials of sizes between the requested ones
    ++result.screened;
    result.failed += screening.status != Status::ok;
    result.stopped_early += is_stopped_early(screening, best_us);
    take_from_cell(cell, std::min(estimate_s, estimate_left(cell)));
}

void ProgressReporter::end_estimate(const CellKey& cell) {
    take_from_cell(cell, estimate_left(cell));
}

double ProgressReporter::estimate_left(const CellKey& cell) const {
    const auto found = of_cells_left_s_.find(cell);
    return found == of_cells_left_s_.end() ? 0 : found->second;
}

void ProgressReporter::take_from_cell(const CellKey& cell, double unit_s) {
    if (unit_s == 0) return;
    of_cells_left_s_.at(cell) -= unit_s;
    take_from_estimate(unit_s);
}

void ProgressReporter::take_from_estimate(double unit_s) {
    remaining_s_ = std::max(0.0, remaining_s_ - unit_s / static_cast<double>(units_));
}

void ProgressReporter::report(SweepProgress progress) const {
    if (!show_) return;
    progress.done = done_;
    progress.total = total_;
    progress.failed = result.failed;
    progress.stopped_early = result.stopped_early;
    progress.pruned = result.pruned;
    progress.remaining_s = remaining_s_;
    progress.units = units_;
    show_(progress);
}

}  // namespace redtune::search
