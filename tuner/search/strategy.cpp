#include "tuner/search/strategy.h"

#include <algorithm>
#include <utility>

#include "tuner/search/beam_strategy.h"
#include "tuner/search/evolutionary_strategy.h"
#include "tuner/search/exhaustive_strategy.h"
#include "tuner/search/limited_strategy.h"
#include "tuner/search/local_strategy.h"
#include "tuner/search/random_strategy.h"
#include "tuner/search/surrogate_strategy.h"

namespace redtune::search {

namespace {

std::unique_ptr<Strategy> limited(StrategyKind kind, Effort effort, const CellKnowledge& knowledge) {
    constexpr std::uint64_t seed = 0;
    return std::make_unique<LimitedStrategy>(make_strategy(kind, knowledge, seed),
                                             most_screenings(effort, knowledge.cell.is_known));
}

}  // namespace

std::unique_ptr<Strategy> make_strategy(StrategyKind kind, const CellKnowledge& knowledge, std::uint64_t seed) {
    switch (kind) {
        case StrategyKind::exhaustive:
            return std::make_unique<ExhaustiveStrategy>(knowledge);
        case StrategyKind::beam:
            return std::make_unique<BeamStrategy>(knowledge);
        case StrategyKind::random:
            return std::make_unique<RandomStrategy>(knowledge, seed);
        case StrategyKind::local:
            return std::make_unique<LocalStrategy>(knowledge, seed);
        case StrategyKind::evolutionary:
            return std::make_unique<EvolutionaryStrategy>(knowledge, seed);
        case StrategyKind::surrogate:
            return std::make_unique<SurrogateStrategy>(knowledge, seed);
    }
    return nullptr;
}

StrategyKind strategy_of(const SweepRequest& request) noexcept {
    if (request.strategy) return *request.strategy;
    const StrategyKind kind = strategy_of(request.effort);
    return request.budget && kind == StrategyKind::exhaustive ? StrategyKind::evolutionary : kind;
}

std::unique_ptr<Strategy> make_strategy(Effort effort, const CellKnowledge& knowledge) {
    return limited(strategy_of(effort), effort, knowledge);
}

std::unique_ptr<Strategy> make_strategy(const SweepRequest& request, const CellKnowledge& knowledge) {
    return limited(strategy_of(request), request.effort, knowledge);
}

std::size_t estimated_screenings(const Cell& cell, const SweepRequest& request) {
    const std::size_t most = most_screenings(request.effort, cell.is_known);
    return std::min(cell.trials.size() - cell.stored, most - std::min(most, cell.stored));
}

}  // namespace redtune::search
