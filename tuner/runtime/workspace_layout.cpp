#include "tuner/runtime/workspace_layout.h"

#include <algorithm>
#include <span>
#include <vector>

#include "tuner/lookup/distinct_matches.h"

namespace redtune::runtime {

namespace {

std::uint64_t round_up(std::uint64_t bytes) {
    return (bytes + LaunchPlan::header_bytes - 1) / LaunchPlan::header_bytes * LaunchPlan::header_bytes;
}

bool has_zeroed_slots(const LaunchPlan& plan) noexcept {
    return plan.zeroed_bytes > LaunchPlan::header_bytes;
}

std::uint64_t slot_part_bytes(const LaunchPlan& plan) noexcept {
    return plan.workspace_bytes - LaunchPlan::header_bytes;
}

/// Returns the given sizes and eight sizes in each power of two up to `most`, ascending, in whole rows.
std::vector<std::uint64_t> sizes_to_plan(const Problem& problem, std::span<const std::uint64_t> given,
                                         std::uint64_t most) {
    const std::uint64_t unit = shape_of(problem).unit();
    std::vector<std::uint64_t> units;
    for (const std::uint64_t n : given) units.push_back(n / unit);
    for (std::uint64_t power = 1; power <= most / unit / 2; power *= 2) {
        for (std::uint64_t eighth = 8; eighth < 16; ++eighth) units.push_back(power * eighth / 8);
    }
    units.push_back(most / unit);
    std::erase_if(units, [&](std::uint64_t count) { return count > most / unit; });
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    for (std::uint64_t& count : units) count *= unit;
    return units;
}

}  // namespace

void WorkspaceLayout::add(const LaunchPlan& plan) {
    if (plan.count == 0) return;
    const std::uint64_t plain = bytes - zeroed_bytes;
    if (has_zeroed_slots(plan)) {
        zeroed_bytes = std::max(zeroed_bytes, round_up(plan.zeroed_bytes));
        bytes = zeroed_bytes + plain;
    } else {
        bytes = zeroed_bytes + std::max(plain, round_up(slot_part_bytes(plan)));
    }
}

void WorkspaceLayout::add(const WorkspaceLayout& other) {
    const std::uint64_t plain = std::max(bytes - zeroed_bytes, other.bytes - other.zeroed_bytes);
    zeroed_bytes = std::max(zeroed_bytes, other.zeroed_bytes);
    bytes = zeroed_bytes + plain;
}

bool WorkspaceLayout::holds(const LaunchPlan& plan) const noexcept {
    return has_zeroed_slots(plan) ? plan.workspace_bytes <= zeroed_bytes
                                  : slot_part_bytes(plan) <= bytes - zeroed_bytes;
}

launch::WorkspaceParts WorkspaceLayout::parts(const LaunchPlan& plan, std::uint64_t workspace) const noexcept {
    return {workspace, workspace + (has_zeroed_slots(plan) ? LaunchPlan::header_bytes : zeroed_bytes)};
}

WorkspaceLayout layout_for(const Selector& selector, const Problem& problem, std::uint64_t most) {
    const std::vector<std::uint64_t> sizes =
        sizes_to_plan(problem, lookup::change_points(selector.content(), 0, most), most);
    WorkspaceLayout layout;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto match = selector.find(sizes[i]);
        if (!match) continue;
        layout.add(match->plan);
        if (i + 1 < sizes.size()) layout.add(try_plan(*match->rule, extents_of(problem, sizes[i + 1])));
    }
    return layout;
}

WorkspaceLayout layout_for(const LaunchRule& rule, const Problem& problem, std::uint64_t most,
                           std::uint64_t most_bytes) {
    WorkspaceLayout layout;
    for (const std::uint64_t n : sizes_to_plan(problem, {}, most)) {
        const LaunchPlan plan = try_plan(rule, extents_of(problem, n));
        if (plan.workspace_bytes <= most_bytes) layout.add(plan);
    }
    return layout;
}

}  // namespace redtune::runtime
