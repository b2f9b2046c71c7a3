#include "tuner/search/strategy_kind.h"

#include "tuner/core/named.h"

namespace redtune::search {

namespace {

constexpr std::array kinds = {Named<StrategyKind>{"exhaustive", StrategyKind::exhaustive},
                              Named<StrategyKind>{"random", StrategyKind::random},
                              Named<StrategyKind>{"local", StrategyKind::local},
                              Named<StrategyKind>{"beam", StrategyKind::beam},
                              Named<StrategyKind>{"evolutionary", StrategyKind::evolutionary},
                              Named<StrategyKind>{"surrogate", StrategyKind::surrogate}};

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
    return kind != StrategyKind::exhaustive && kind != StrategyKind::beam;
}

}  // namespace redtune::search
