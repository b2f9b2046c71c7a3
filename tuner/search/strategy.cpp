#include "tuner/search/strategy.h"

#include <algorithm>

#include "tuner/search/exhaustive_strategy.h"
#include "tuner/search/quick_strategy.h"

namespace redtune::search {

std::unique_ptr<Strategy> make_strategy(Effort effort, const CellKnowledge& knowledge) {
    if (effort == Effort::exhaustive) return std::make_unique<ExhaustiveStrategy>(knowledge);
    return std::make_unique<QuickStrategy>(knowledge);
}

std::size_t estimated_screenings(const Cell& cell, Effort effort) {
    const std::size_t left = cell.trials.size() - cell.stored;
    if (effort == Effort::exhaustive || cell.screens_all_trials) return left;
    return std::min(left, QuickStrategy::usual_screenings(cell.is_anchor));
}

}  // namespace redtune::search
