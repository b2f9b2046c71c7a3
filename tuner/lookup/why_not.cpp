#include "tuner/lookup/why_not.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tuner/core/launch_rule.h"

namespace redtune::lookup {

namespace {

/// Returns the rungs that a source of this kind stands for.
std::vector<MatchKind> rungs_of(MatchKind kind) {
    if (kind == MatchKind::exact) return {MatchKind::exact, MatchKind::between, MatchKind::beyond};
    return {kind};
}

std::string names_of(const std::vector<MatchKind>& kinds) {
    std::vector<std::string_view> names;
    for (const MatchKind kind : kinds) names.push_back(to_string(kind));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns a reason with the number of configurations that it rules out: "meant for other sizes (3)".
std::string with_count(std::string_view reason, std::size_t configurations) {
    return fmt::format("{} ({})", reason, configurations);
}

/// Returns what n itself ruled out among the configurations of a source.
std::vector<std::string> reasons_at(const SelectorSource& source, const Selector::Content& content, std::uint64_t n) {
    std::size_t other_sizes = 0;
    std::size_t no_plan = 0;
    std::size_t too_large = 0;
    std::uint64_t least_workspace = 0;
    for (const TunedSize& tuned : source.tuned.sizes) {
        LaunchPlan plan;
        if (n < tuned.candidate_for.least || n > tuned.candidate_for.most) {
            ++other_sizes;
        } else if (!write_plan(tuned.rule, extents_of(content.problem, n), plan)) {
            ++no_plan;
        } else if (plan.workspace_bytes > content.limits.max_workspace_bytes) {
            least_workspace = too_large++ == 0 ? plan.workspace_bytes : std::min(least_workspace, plan.workspace_bytes);
        }
    }
    std::vector<std::string> reasons;
    if (other_sizes > 0) reasons.push_back(with_count("meant for other sizes", other_sizes));
    if (no_plan > 0) reasons.push_back(with_count("needs too large a grid", no_plan));
    if (too_large > 0) {
        reasons.push_back(with_count(fmt::format("needs more workspace than the allowed {} bytes, at least {} bytes",
                                                 content.limits.max_workspace_bytes, least_workspace),
                                     too_large));
    }
    return reasons;
}

std::vector<std::string> reasons_of(const SelectorSource& source, const Selector::Content& content, std::uint64_t n) {
    std::vector<std::string> reasons = reasons_at(source, content, n);
    for (const auto& [obstacle, left_out] : source.left_out) {
        reasons.push_back(with_count(describe(obstacle), left_out));
    }
    return reasons;
}

}  // namespace

std::string why_not(const Selector::Content& content, std::uint64_t n) {
    std::vector<MatchKind> refused;
    std::vector<std::string> lines;
    for (const MatchKind kind : match_kinds()) {
        if (!content.allows(kind)) refused.push_back(kind);
        if (kind == MatchKind::between || kind == MatchKind::beyond) continue;  // of the same source as `exact`
        std::vector<std::string> reasons;
        for (const SelectorSource& source : content.sources) {
            if (source.kind != kind) continue;
            for (std::string& reason : reasons_of(source, content, n)) reasons.push_back(std::move(reason));
        }
        std::vector<MatchKind> rungs = rungs_of(kind);
        std::erase_if(rungs, [&](MatchKind rung) { return !content.allows(rung); });
        if (rungs.empty()) continue;
        lines.push_back(
            fmt::format("{}: {}.", names_of(rungs),
                        reasons.empty() ? "nothing is known" : fmt::format("{}", fmt::join(reasons, "; "))));
    }
    if (!refused.empty()) lines.push_back(fmt::format("{}: not allowed by the options.", names_of(refused)));
    return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace redtune::lookup
