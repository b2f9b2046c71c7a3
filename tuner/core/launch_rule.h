#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/launch_plan.h"

namespace redtune {

/// How the grid of the first launch depends on n.
enum class GridRule : std::uint8_t {
    one,            ///< a single block
    tiles,          ///< one block per tile
    blocks_per_sm,  ///< blocks_per_sm x SMs, at most one block per tile; 0 means one block per tile
    blocks,         ///< a fixed number, at most one block per tile
    rows            ///< rows / rows_per_block x blocks_per_row
};

/// The launches after the first one, while more than one partial result is left.
enum class Continuation : std::uint8_t {
    none,              ///< no further launch: the first one writes the result
    combine_partials,  ///< one launch combines all partial results, with a block for each result
    repeat             ///< the family again on its partial results, until one is left
};

/// The numbers from which the launches of one configuration follow for any n. The database stores the rule with the
/// configuration, so that a look-up needs neither the family's file nor SQL.
struct LaunchRule {
    std::uint32_t block = 0;  ///< threads
    std::uint64_t tile = 0;   ///< elements that a block takes per step
    GridRule grid = GridRule::one;
    double blocks_per_sm = 0;        ///< used by GridRule::blocks_per_sm only
    std::uint32_t sm_count = 0;      ///< SMs of the device that the configuration is for
    std::uint32_t shared_bytes = 0;  ///< dynamic, per block
    std::uint32_t slot_bytes = 0;    ///< workspace per block
    bool slots_zeroed = false;       ///< the slots, besides the header, must be zero before the first call
    Continuation continuation = Continuation::none;
    std::uint32_t blocks = 0;          ///< used by GridRule::blocks only
    std::uint32_t rows_per_block = 1;  ///< this and the next are used by GridRule::rows only
    std::uint32_t blocks_per_row = 1;
    /// Blocks that run as one cluster (1: none); the first launch's grid is a multiple of it.
    std::uint32_t cluster = 1;
    /// Threads of a block of KernelRole::combine_partials; 0: combine_block() chooses.
    std::uint32_t combine_block = 0;
    /// The second launch is a programmatic dependent launch (PDL): it may start before the first has ended, and its
    /// kernel waits for the first by itself.
    bool combine_pdl = false;
    /// The first launch is a programmatic dependent launch: it may start before the previous kernel in the stream has
    /// ended, and waits for it by itself.
    bool pdl = false;

    friend bool operator==(const LaunchRule&, const LaunchRule&) = default;
};

/// Returns the threads of a block of KernelRole::combine_partials: few where each row has a block.
std::uint32_t combine_block(const LaunchRule& rule) noexcept;

/// The largest grid that CUDA allows in x.
inline constexpr std::uint64_t max_grid = 2147483647;

/// Returns the launches for n elements.
/// @throws InputError where the rule needs a grid beyond max_grid or more than LaunchPlan::max_launches.
/// @param row_length of the problem; 0 for a whole array, else a divisor of n
LaunchPlan make_plan(const LaunchRule& rule, std::uint64_t n, std::uint64_t row_length = 0);

/// Returns the same as make_plan(), or a plan without launches where make_plan() throws.
LaunchPlan try_plan(const LaunchRule& rule, std::uint64_t n, std::uint64_t row_length = 0) noexcept;

/// Returns the kernels that plans of this rule may launch, beginning with KernelRole::first.
std::vector<KernelRole> roles_of(const LaunchRule& rule);

std::string_view to_string(GridRule rule) noexcept;
std::string_view to_string(Continuation continuation) noexcept;
/// Return the enumerator of a name.
/// @throws InputError with the allowed names.
GridRule parse_grid_rule(std::string_view name);
Continuation parse_continuation(std::string_view name);

}  // namespace redtune
