#include "tuner/core/launch_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "redtune/error.h"

namespace redtune {

namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0);
}

std::uint64_t grid_of(const LaunchRule& rule, std::uint64_t n) {
    const std::uint64_t tiles = std::max<std::uint64_t>(1, ceil_div(n, std::max<std::uint64_t>(1, rule.tile)));
    switch (rule.grid) {
        case GridRule::one:
            return 1;
        case GridRule::tiles:
            return tiles;
        case GridRule::blocks_per_sm:
            break;
    }
    if (rule.blocks_per_sm <= 0) return tiles;
    const double wanted = std::round(rule.blocks_per_sm * rule.sm_count);
    return std::min(tiles, static_cast<std::uint64_t>(std::max(1.0, wanted)));
}

}  // namespace

LaunchPlan try_plan(const LaunchRule& rule, std::uint64_t n) noexcept {
    LaunchPlan plan;
    plan.slot_bytes = rule.slot_bytes;
    std::uint64_t slots = 0;      // written by the launches so far
    std::uint64_t read_slot = 0;  // where the next launch begins to read
    std::uint64_t left = n;       // elements or partials it reads
    for (KernelRole role = KernelRole::first;; role = KernelRole::repeat) {
        const std::uint64_t grid = grid_of(rule, left);
        if (grid > max_grid || plan.count == LaunchPlan::max_launches) return {};
        plan.steps[plan.count++] = {
            role, static_cast<std::uint32_t>(grid), rule.block, rule.shared_bytes, left, read_slot, slots};
        // One block of a family that goes on writes the result itself; others leave one partial a block.
        if (grid == 1 || rule.then == Continuation::none) {
            slots += rule.then == Continuation::none ? grid : 0;
            break;
        }
        read_slot = slots;
        slots += grid;
        left = grid;
        if (rule.then == Continuation::combine_partials) {
            if (plan.count == LaunchPlan::max_launches) return {};
            plan.steps[plan.count++] = {KernelRole::combine_partials, 1, combine_block, 0, left, read_slot, slots};
            break;
        }
    }
    plan.workspace_bytes = LaunchPlan::header_bytes + slots * rule.slot_bytes;
    plan.zeroed_bytes = rule.slots_zeroed ? plan.workspace_bytes : LaunchPlan::header_bytes;
    return plan;
}

LaunchPlan make_plan(const LaunchRule& rule, std::uint64_t n) {
    LaunchPlan plan = try_plan(rule, n);
    if (plan.count == 0) {
        throw InputError(
            fmt::format("{} elements in tiles of {} need more than {} blocks or {} launches; take a "
                        "configuration with a larger tile",
                        n, rule.tile, max_grid, LaunchPlan::max_launches));
    }
    return plan;
}

std::vector<KernelRole> roles_of(const LaunchRule& rule) {
    switch (rule.then) {
        case Continuation::none:
            return {KernelRole::first};
        case Continuation::combine_partials:
            return {KernelRole::first, KernelRole::combine_partials};
        case Continuation::repeat:
            return {KernelRole::first, KernelRole::repeat};
    }
    return {};
}

std::string_view to_string(GridRule rule) noexcept {
    switch (rule) {
        case GridRule::one:
            return "one";
        case GridRule::tiles:
            return "tiles";
        case GridRule::blocks_per_sm:
            return "blocks_per_sm";
    }
    return "unknown";
}

std::string_view to_string(Continuation then) noexcept {
    switch (then) {
        case Continuation::none:
            return "none";
        case Continuation::combine_partials:
            return "combine_partials";
        case Continuation::repeat:
            return "repeat";
    }
    return "unknown";
}

GridRule parse_grid_rule(std::string_view name) {
    for (GridRule rule : {GridRule::one, GridRule::tiles, GridRule::blocks_per_sm}) {
        if (to_string(rule) == name) return rule;
    }
    throw InputError(fmt::format("there is no grid rule '{}'; allowed are one, tiles, blocks_per_sm", name));
}

Continuation parse_continuation(std::string_view name) {
    for (Continuation then : {Continuation::none, Continuation::combine_partials, Continuation::repeat}) {
        if (to_string(then) == name) return then;
    }
    throw InputError(
        fmt::format("'{}' cannot follow a first launch; allowed are none, combine_partials, repeat", name));
}

}  // namespace redtune
