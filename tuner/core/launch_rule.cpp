#include "tuner/core/launch_rule.h"

#include <algorithm>
#include <cmath>

#include "tuner/core/named.h"

namespace redtune {

namespace {

constexpr std::array grid_rules = {Named<GridRule>{"one", GridRule::one},
                                   Named<GridRule>{"tiles", GridRule::tiles},
                                   Named<GridRule>{"blocks_per_sm", GridRule::blocks_per_sm},
                                   Named<GridRule>{"blocks", GridRule::blocks},
                                   Named<GridRule>{"rows", GridRule::rows},
                                   Named<GridRule>{"columns", GridRule::columns}};
constexpr std::array continuations = {Named<Continuation>{"none", Continuation::none},
                                      Named<Continuation>{"combine_partials", Continuation::combine_partials},
                                      Named<Continuation>{"repeat", Continuation::repeat}};

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0);
}

std::uint64_t at_least_1(std::uint64_t value) {
    return std::max<std::uint64_t>(1, value);
}

/// Returns the number of blocks that share each result: of a row, or of the columns of one matrix.
std::uint64_t blocks_per_result(const LaunchRule& rule, const Extents& extents) {
    if (rule.grid == GridRule::columns) return at_least_1(rule.parts / at_least_1(extents.outer));
    return at_least_1(rule.blocks_per_row);
}

/// Returns the number of blocks that `groups` groups of `blocks` blocks have. It skips a multiplication that could
/// overflow: try_plan() rejects any grid beyond max_grid anyway.
std::uint64_t blocks_of_groups(std::uint64_t groups, std::uint64_t blocks) {
    return groups > max_grid ? groups : groups * blocks;
}

/// Returns the number of blocks that the grid rule asks for, before it is rounded up to whole clusters.
/// @param n elements or partial results that the launch reads
std::uint64_t blocks_of(const LaunchRule& rule, std::uint64_t n, const Extents& extents) {
    const std::uint64_t tiles = at_least_1(ceil_div(n, at_least_1(rule.tile)));
    switch (rule.grid) {
        case GridRule::one:
            return 1;
        case GridRule::tiles:
            return tiles;
        case GridRule::blocks:
            return std::min<std::uint64_t>(tiles, at_least_1(rule.blocks));
        case GridRule::rows:
            return blocks_of_groups(at_least_1(ceil_div(extents.results(), at_least_1(rule.rows_per_block))),
                                    blocks_per_result(rule, extents));
        case GridRule::columns:
            return blocks_of_groups(at_least_1(ceil_div(extents.results(), at_least_1(rule.columns_per_block))),
                                    blocks_per_result(rule, extents));
        case GridRule::blocks_per_sm:
            break;
    }
    if (rule.blocks_per_sm <= 0) return tiles;
    const double wanted = std::round(rule.blocks_per_sm * rule.sm_count);
    return std::min(tiles, static_cast<std::uint64_t>(std::max(1.0, wanted)));
}

/// Returns the number of blocks of a launch, rounded up to whole clusters.
std::uint64_t grid_of(const LaunchRule& rule, std::uint64_t n, const Extents& extents) {
    return ceil_div(blocks_of(rule, n, extents), at_least_1(rule.cluster)) * at_least_1(rule.cluster);
}

/// Returns whether a block reduces all rows of its columns, so that it leaves no partial results.
bool has_all_rows(const LaunchRule& rule, const Extents& extents) {
    return rule.grid == GridRule::columns && blocks_per_result(rule, extents) == 1;
}

/// Returns whether a launch of `grid` blocks writes the final results, so that no launch follows it.
bool is_last(const LaunchRule& rule, std::uint64_t grid, const Extents& extents) {
    // A block that reduces all of its row or columns writes the result even if the rule has a second launch. If a
    // result has several blocks, each of them writes a partial result.
    return rule.continuation == Continuation::none || has_all_rows(rule, extents) ||
           (grid == 1 && rule.blocks_per_row == 1);
}

/// Returns the number of partial results that a launch of `grid` blocks writes.
std::uint64_t partials_of(const LaunchRule& rule, std::uint64_t grid, const Extents& extents) {
    return rule.grid == GridRule::columns ? extents.results() * blocks_per_result(rule, extents) : grid;
}

/// Returns the launch that combines the partial results, with one block for each result.
Launch combining_launch(const LaunchRule& rule, std::uint64_t partials, std::uint64_t rows, std::uint64_t read_slot,
                        std::uint64_t write_slot) noexcept {
    const auto results = static_cast<std::uint32_t>(at_least_1(rows));
    return {.role = KernelRole::combine_partials,
            .grid = results,
            .block = combine_block(rule),
            .shared_bytes = 0,
            .n = rows == 0 ? 0 : partials,
            .row_length = partials / results,
            .read_slot = read_slot,
            .write_slot = write_slot,
            .cluster = 1,
            .pdl = rule.combine_pdl};
}

}  // namespace

int minimum_compute_capability(const LaunchRule& rule) noexcept {
    constexpr int hopper = 90;  // first compute capability with clusters and programmatic dependent launches
    return rule.pdl || rule.combine_pdl || rule.cluster > 1 ? hopper : 0;
}

std::uint32_t combine_block(const LaunchRule& rule) noexcept {
    constexpr std::uint32_t for_one_result = 512;
    constexpr std::uint32_t for_a_result_of_many = 32;
    if (rule.combine_block != 0) return rule.combine_block;
    return rule.grid == GridRule::rows || rule.grid == GridRule::columns ? for_a_result_of_many : for_one_result;
}

LaunchPlan try_plan(const LaunchRule& rule, const Extents& extents) noexcept {
    LaunchPlan plan;
    return write_plan(rule, extents, plan) ? plan : LaunchPlan();
}

LaunchPlan try_plan(const LaunchRule& rule, std::uint64_t n) noexcept {
    return try_plan(rule, Extents{.reduced = n});
}

bool write_plan(const LaunchRule& rule, const Extents& extents, LaunchPlan& plan) noexcept {
    // Matrices without elements still have results, whose number the kernel could not compute from 0 elements.
    const bool is_empty = rule.grid == GridRule::columns && extents.reduced == 0;
    plan.count = 0;
    plan.slot_bytes = rule.slot_bytes;
    plan.elements_per_result = extents.reduced;
    std::uint64_t slots = 0;           // number of partial results that the launches so far write
    std::uint64_t read_slot = 0;       // index of the first partial result that the next launch reads
    std::uint64_t left = extents.n();  // elements or partial results that the next launch reads
    for (KernelRole role = KernelRole::first;; role = KernelRole::repeat) {
        const std::uint64_t grid = grid_of(rule, left, extents);
        if (grid > max_grid || plan.count == LaunchPlan::max_launches) return false;
        const bool is_first = role == KernelRole::first;
        plan.steps[plan.count++] = {.role = role,
                                    .grid = static_cast<std::uint32_t>(grid),
                                    .block = rule.block,
                                    .shared_bytes = rule.shared_bytes,
                                    .n = is_empty ? extents.results() : left,
                                    .row_length = is_first ? plan.elements_per_result : left,
                                    .columns = rule.grid == GridRule::columns ? extents.inner : 0,
                                    .read_slot = read_slot,
                                    .write_slot = slots,
                                    .cluster = rule.cluster,
                                    .pdl = rule.pdl && is_first};
        if (is_last(rule, grid, extents)) {
            slots += rule.continuation == Continuation::none && !has_all_rows(rule, extents) ? grid : 0;
            break;
        }
        read_slot = slots;
        left = partials_of(rule, grid, extents);
        slots += left;
        if (rule.continuation == Continuation::combine_partials) {
            if (plan.count == LaunchPlan::max_launches || extents.results() > max_grid) return false;
            plan.steps[plan.count++] = combining_launch(rule, left, extents.results(), read_slot, slots);
            break;
        }
    }
    plan.workspace_bytes = LaunchPlan::header_bytes + slots * rule.slot_bytes;
    plan.zeroed_bytes = rule.slots_zeroed ? plan.workspace_bytes : LaunchPlan::header_bytes;
    return true;
}

LaunchPlan make_plan(const LaunchRule& rule, const Extents& extents) {
    LaunchPlan plan = try_plan(rule, extents);
    if (plan.count == 0) {
        throw InputError(
            fmt::format("{} elements in tiles of {} need more than {} blocks or {} launches; take a "
                        "configuration with a larger tile",
                        extents.n(), rule.tile, max_grid, LaunchPlan::max_launches));
    }
    return plan;
}

LaunchPlan make_plan(const LaunchRule& rule, std::uint64_t n) {
    return make_plan(rule, Extents{.reduced = n});
}

std::vector<KernelRole> roles_of(const LaunchRule& rule) {
    switch (rule.continuation) {
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
    return name_of(grid_rules, rule);
}
std::string_view to_string(Continuation continuation) noexcept {
    return name_of(continuations, continuation);
}
GridRule parse_grid_rule(std::string_view name) {
    return parse_named(grid_rules, "grid rule", name);
}
Continuation parse_continuation(std::string_view name) {
    return parse_named(continuations, "continuation", name);
}

}  // namespace redtune
