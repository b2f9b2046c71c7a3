#include "tuner/search/strategy.h"

#include <algorithm>

#include "tuner/core/named.h"
#include "tuner/search/evolutionary_strategy.h"
#include "tuner/search/exhaustive_strategy.h"
#include "tuner/search/local_strategy.h"
#include "tuner/search/quick_strategy.h"
#include "tuner/search/random_strategy.h"

namespace redtune::search {

namespace {

constexpr std::array kinds = {
    Named<StrategyKind>{"exhaustive", StrategyKind::exhaustive}, Named<StrategyKind>{"quick", StrategyKind::quick},
    Named<StrategyKind>{"random", StrategyKind::random}, Named<StrategyKind>{"local", StrategyKind::local},
    Named<StrategyKind>{"evolutionary", StrategyKind::evolutionary}};

}  // namespace

std::string_view strategy_name(StrategyKind kind) noexcept {
    return name_of(kinds, kind);
}

StrategyKind parse_strategy(std::string_view name) {
    return parse_named(kinds, "strategy", name);
}

std::vector<std::string> strategy_names() {
    return names_of(kinds);
}

bool is_random(StrategyKind kind) noexcept {
    return kind != StrategyKind::exhaustive && kind != StrategyKind::quick;
}

std::unique_ptr<Strategy> make_strategy(StrategyKind kind, const CellKnowledge& knowledge, std::uint64_t seed) {
    switch (kind) {
        case StrategyKind::exhaustive:
            return std::make_unique<ExhaustiveStrategy>(knowledge);
        case StrategyKind::quick:
            return std::make_unique<QuickStrategy>(knowledge);
        case StrategyKind::random:
            return std::make_unique<RandomStrategy>(knowledge, seed);
        case StrategyKind::local:
            return std::make_unique<LocalStrategy>(knowledge, seed);
        case StrategyKind::evolutionary:
            return std::make_unique<EvolutionaryStrategy>(knowledge, seed);
    }
    return nullptr;
}

std::unique_ptr<Strategy> make_strategy(Effort effort, const CellKnowledge& knowledge) {
    const bool is_exhaustive = effort == Effort::exhaustive;
    return make_strategy(is_exhaustive ? StrategyKind::exhaustive : StrategyKind::quick, knowledge, 0);
}

std::size_t estimated_screenings(const Cell& cell, Effort effort) {
    const std::size_t left = cell.trials.size() - cell.stored;
    if (effort == Effort::exhaustive || cell.screens_all_trials) return left;
    return std::min(left, QuickStrategy::usual_screenings(cell.is_anchor));
}

}  // namespace redtune::search
