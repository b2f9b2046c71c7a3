#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"

namespace redtune {

/// The rule for the number of blocks of the first launch.
enum class GridRule : std::uint8_t {
    one,            ///< a single block
    tiles,          ///< one block per tile
    blocks_per_sm,  ///< blocks_per_sm x SMs, at most one block per tile; 0 means one block per tile
    blocks,         ///< a fixed number of blocks, at most one block per tile
    rows,           ///< ceil(rows / rows_per_block) x blocks_per_row
    /// ceil(results / columns_per_block) x the parts of each matrix. An array of several matrices has parts / outer
    /// parts (at least 1), so that the grid stays as large as that of one matrix with as many elements.
    columns
};

/// The launches that follow the first one if it leaves more than one partial result.
enum class Continuation : std::uint8_t {
    none,              ///< no launch: the first launch writes the result
    combine_partials,  ///< one launch combines all partial results, with a block for each result
    repeat             ///< the family's kernel runs again on its partial results, until one is left
};

/// The numbers from which make_plan() computes the launches of one configuration for any n. The database stores the
/// rule with the configuration, so that a look-up needs neither the family's file nor SQL.
struct LaunchRule {
    std::uint32_t block = 0;  ///< threads per block
    std::uint64_t tile = 0;   ///< elements that a block reads in one step of its loop
    GridRule grid = GridRule::one;
    double blocks_per_sm = 0;        ///< used by GridRule::blocks_per_sm only
    std::uint32_t sm_count = 0;      ///< SMs of the device that the configuration is for
    std::uint32_t shared_bytes = 0;  ///< dynamic shared memory per block
    std::uint32_t slot_bytes = 0;    ///< bytes of workspace per block
    bool slots_zeroed = false;       ///< true: the slots, not only the header, must be zero before the first call
    Continuation continuation = Continuation::none;
    std::uint32_t blocks = 0;             ///< used by GridRule::blocks only
    std::uint32_t rows_per_block = 1;     ///< used by GridRule::rows only
    std::uint32_t blocks_per_row = 1;     ///< used by GridRule::rows only
    std::uint32_t columns_per_block = 1;  ///< used by GridRule::columns only: results of a block, of one part
    /// Used by GridRule::columns only: blocks that share the rows of a matrix. If there is more than one, each block
    /// leaves one partial result for each of its columns.
    std::uint32_t parts = 1;
    /// Blocks per thread block cluster; 1: no clusters. The first launch's grid is a multiple of this number.
    std::uint32_t cluster = 1;
    /// Threads per block of KernelRole::combine_partials; 0: combine_block() chooses.
    std::uint32_t combine_block = 0;
    /// The second launch is a programmatic dependent launch (PDL): its kernel may start before the first launch has
    /// ended and waits for the first launch by itself.
    bool combine_pdl = false;
    /// The first launch is a programmatic dependent launch: its kernel may start before the previous kernel in the
    /// stream has ended and waits for the previous kernel by itself.
    bool pdl = false;

    friend bool operator==(const LaunchRule&, const LaunchRule&) = default;
};

/// Returns the number of threads per block of KernelRole::combine_partials: `rule.combine_block` if that is not 0; else
/// one warp for GridRule::rows and GridRule::columns, which have one block for each result, and a large block for a
/// single result.
std::uint32_t combine_block(const LaunchRule& rule) noexcept;

/// Returns the lowest compute capability, major x 10 + minor, of devices that have the launches of the rule: clusters
/// and programmatic dependent launches need 90. 0: every device has them.
int minimum_compute_capability(const LaunchRule& rule) noexcept;

/// CUDA's limit on the number of blocks in x.
inline constexpr std::uint64_t max_grid = 2147483647;

/// Returns the launches and the workspace for an array.
/// @param extents see extents_of(); inner is 1 unless the rule is GridRule::columns
/// @throws InputError if the rule needs a grid beyond max_grid or more launches than LaunchPlan::max_launches
LaunchPlan make_plan(const LaunchRule& rule, const Extents& extents);
/// Returns the plan for a whole array of n elements.
LaunchPlan make_plan(const LaunchRule& rule, std::uint64_t n);

/// Returns the same as make_plan(), but a plan without launches if make_plan() would throw.
LaunchPlan try_plan(const LaunchRule& rule, const Extents& extents) noexcept;
LaunchPlan try_plan(const LaunchRule& rule, std::uint64_t n) noexcept;

/// Writes the plan that try_plan() returns to `plan`, which must be a new plan or one that this function has written.
/// Look-ups use it because copying a plan takes as long as the rest of a look-up. Returns false, and leaves `plan`
/// unspecified, if make_plan() would throw.
bool write_plan(const LaunchRule& rule, const Extents& extents, LaunchPlan& plan) noexcept;

/// Returns the roles of the kernels that plans of this rule may launch, in launch order.
std::vector<KernelRole> roles_of(const LaunchRule& rule);

std::string_view to_string(GridRule rule) noexcept;
std::string_view to_string(Continuation continuation) noexcept;
/// These return the enumerator whose printed name is `name`.
/// @throws InputError, which lists the allowed names, if no enumerator has this name.
GridRule parse_grid_rule(std::string_view name);
Continuation parse_continuation(std::string_view name);

}  // namespace redtune
