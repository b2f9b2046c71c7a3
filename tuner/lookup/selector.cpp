#include "redtune/selector.h"

#include <utility>

#include "tuner/lookup/make_match.h"
#include "tuner/lookup/selector_content.h"

namespace redtune {

Selector::Selector(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

std::optional<Match> Selector::find(std::uint64_t n) const noexcept {
    const Content& content = *content_;
    for (const SelectorSource& source : content.sources) {
        auto match = lookup::make_match(source.tuned, content.problem, n, content.device.name, content.limits);
        if (!match) continue;
        if (source.kind != MatchKind::exact) match->kind = source.kind;
        if (content.allows(match->kind)) return match;
    }
    return std::nullopt;
}

std::string Selector::why_not(std::uint64_t n) const {
    return find(n) ? "" : "no result is known for this problem, device and regime";
}

}  // namespace redtune
