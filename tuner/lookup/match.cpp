#include "redtune/match.h"

#include "tuner/core/named.h"

namespace redtune {

namespace {

constexpr std::array names = {Named<MatchKind>{"exact", MatchKind::exact},
                              Named<MatchKind>{"between", MatchKind::between},
                              Named<MatchKind>{"beyond", MatchKind::beyond},
                              Named<MatchKind>{"similar_problem", MatchKind::similar_problem},
                              Named<MatchKind>{"same_silicon_other_memory", MatchKind::same_silicon_other_memory},
                              Named<MatchKind>{"same_compute_capability", MatchKind::same_compute_capability},
                              Named<MatchKind>{"other_device", MatchKind::other_device},
                              Named<MatchKind>{"default_rule", MatchKind::default_rule}};

}  // namespace

std::span<const MatchKind> match_kinds() noexcept {
    static constexpr auto kinds = [] {
        std::array<MatchKind, names.size()> all{};
        for (std::size_t i = 0; i < names.size(); ++i) all[i] = names[i].value;
        return all;
    }();
    return kinds;
}

std::string_view to_string(MatchKind kind) noexcept {
    return name_of(names, kind);
}

MatchKind parse_match_kind(std::string_view name) {
    return parse_named(names, "kind of match", name);
}

}  // namespace redtune
