#include "tuner/search/random_strategy.h"

#include <utility>

#include "tuner/search/random_trials.h"

namespace redtune::search {

RandomStrategy::RandomStrategy(const CellKnowledge& knowledge, std::uint64_t seed)
    : order_(RandomTrials(knowledge.cell.trials.size(), seed).remaining()) {}

std::vector<std::size_t> RandomStrategy::next() {
    return std::exchange(order_, {});
}

}  // namespace redtune::search
