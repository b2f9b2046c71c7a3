#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/launch_plan.h"

namespace redtune {

/// How the first launch's grid follows from n.
enum class GridRule : std::uint8_t {
    one,            ///< a single block
    tiles,          ///< one block per tile
    blocks_per_sm,  ///< blocks_per_sm x SMs, but no more than one per tile; 0 stands for one per tile
    blocks,         ///< a fixed number, but no more than one per tile
    rows            ///< rows / rows_per_block x blocks_per_row
};

/// What follows the first launch while it leaves more than one partial.
enum class Continuation : std::uint8_t {
    none,              ///< the first launch finishes by itself
    combine_partials,  ///< one block combines all partials
    repeat             ///< the family again over its partials, until one is left
};

/// All that is needed to plan the launches of one configuration for any n, with no family file at hand.
struct LaunchRule {
    std::uint32_t block = 0;  ///< threads
    std::uint64_t tile = 0;   ///< elements that a block takes per step
    GridRule grid = GridRule::one;
    double blocks_per_sm = 0;        ///< used by GridRule::blocks_per_sm only
    std::uint32_t sm_count = 0;      ///< of the device that the configuration is for
    std::uint32_t shared_bytes = 0;  ///< dynamic, per block
    std::uint32_t slot_bytes = 0;    ///< workspace per block
    bool slots_zeroed = false;       ///< the slots too must be zero before the first call
    Continuation continuation = Continuation::none;
    std::uint32_t blocks = 0;          ///< used by GridRule::blocks only
    std::uint32_t rows_per_block = 1;  ///< used by GridRule::rows only, as is the next
    std::uint32_t blocks_per_row = 1;
    /// Blocks that run as one cluster (1: none); the first launch's grid is a multiple of it.
    std::uint32_t cluster = 1;
    /// Threads of a block of KernelRole::combine_partials; 0: as combine_block() says.
    std::uint32_t combine_block = 0;
    /// The second launch is a programmatic dependent launch (PDL): it may start before the first has ended, and its
    /// kernel waits for the first by itself.
    bool combine_pdl = false;
    /// The first launch is a programmatic dependent launch: it may start before the previous kernel in the stream has
    /// ended, and waits for it by itself.
    bool pdl = false;

    friend bool operator==(const LaunchRule&, const LaunchRule&) = default;
};

/// Threads of a block that runs KernelRole::combine_partials: few where there is a block for each row.
std::uint32_t combine_block(const LaunchRule& rule) noexcept;

/// The grid that CUDA allows in x.
inline constexpr std::uint64_t max_grid = 2147483647;

/// @throws InputError where the rule needs a grid beyond max_grid or more than LaunchPlan::max_launches.
/// @param row_length of the problem: 0 for a whole array; n is then a multiple of it
LaunchPlan make_plan(const LaunchRule& rule, std::uint64_t n, std::uint64_t row_length = 0);

/// Same, without exceptions: a plan of no launches stands for "cannot be launched at this size".
LaunchPlan try_plan(const LaunchRule& rule, std::uint64_t n, std::uint64_t row_length = 0) noexcept;

/// The roles that plans of this rule may use, the first launch's in front.
std::vector<KernelRole> roles_of(const LaunchRule& rule);

std::string_view to_string(GridRule rule) noexcept;
std::string_view to_string(Continuation continuation) noexcept;
/// @throws InputError with the allowed names.
GridRule parse_grid_rule(std::string_view name);
Continuation parse_continuation(std::string_view name);

}  // namespace redtune
