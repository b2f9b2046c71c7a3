#include "redtune/match.h"

#include "tuner/core/named.h"

namespace redtune {

namespace {

constexpr std::array match_kinds = {Named<MatchKind>{"exact", MatchKind::exact},
                                    Named<MatchKind>{"between", MatchKind::between},
                                    Named<MatchKind>{"beyond", MatchKind::beyond}};

}  // namespace

std::string_view to_string(MatchKind kind) noexcept {
    return name_of(match_kinds, kind);
}

}  // namespace redtune
