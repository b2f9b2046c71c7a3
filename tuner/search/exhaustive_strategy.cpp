#include "tuner/search/exhaustive_strategy.h"

#include <utility>

#include "tuner/search/sampling.h"

namespace redtune::search {

ExhaustiveStrategy::ExhaustiveStrategy(const CellKnowledge& knowledge)
    : order_(all_in_prior_order(knowledge.cell.trials, knowledge.prior)) {}

std::vector<std::size_t> ExhaustiveStrategy::next() {
    return std::exchange(order_, {});
}

}  // namespace redtune::search
