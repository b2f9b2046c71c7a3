#include "tuner/search/effort.h"

#include "tuner/core/named.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

constexpr std::array efforts = {Named<Effort>{"quick", Effort::quick}, Named<Effort>{"standard", Effort::standard},
                                Named<Effort>{"thorough", Effort::thorough},
                                Named<Effort>{"exhaustive", Effort::exhaustive}};

}  // namespace

Effort parse_effort(std::string_view name) {
    return parse_named(efforts, "effort", name);
}

std::string_view effort_name(Effort effort) noexcept {
    return name_of(efforts, effort);
}

std::optional<Effort> stored_effort(std::string_view name) {
    return name.empty() ? std::nullopt : std::optional(parse_effort(name));
}

std::vector<std::string> effort_names() {
    return names_of(efforts);
}

StrategyKind strategy_of(Effort effort) noexcept {
    return effort == Effort::exhaustive ? StrategyKind::exhaustive : StrategyKind::evolutionary;
}

std::size_t most_screenings(Effort effort, bool is_known) noexcept {
    switch (effort) {
        case Effort::quick:
            return is_known ? 16 : 32;
        case Effort::standard:
            return 100;
        case Effort::thorough:
            return 200;
        case Effort::exhaustive:
            break;
    }
    return no_limit;
}

std::optional<Effort> effort_of(std::size_t screenings, bool is_known) noexcept {
    std::optional<Effort> greatest;
    for (const auto& [name, effort] : efforts) {
        if (most_screenings(effort, is_known) <= screenings) greatest = effort;
    }
    return greatest;
}

const FinalStages& final_stages(Effort effort) noexcept {
    static constexpr FinalStages of_quick = {
        .survivors = 0, .finalists = 4, .finalists_on_data = 4, .rounds = timing::fewer_final_rounds};
    static constexpr FinalStages of_others = {.survivors = timing::most_survivors,
                                              .finalists = timing::most_finalists,
                                              .finalists_on_data = timing::most_finalists_on_data,
                                              .rounds = timing::final_rounds};
    return effort == Effort::quick ? of_quick : of_others;
}

}  // namespace redtune::search
