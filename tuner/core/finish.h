#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/parameter.h"
#include "redtune/problem.h"
#include "tuner/core/launch_rule.h"

namespace redtune {

/// The method that combines the partial results of a grid's blocks into one result. `enum class Finish` of
/// kernels_src/finish.cuh has the same enumerators in the same order and explains each.
enum class Finish : std::uint8_t { two_kernel, dependent, ticket, publish, cluster, cluster_publish, atomic, packed };

/// Name of the compile parameter that selects the finish.
inline constexpr std::string_view finish_parameter = "finish";

/// The content that a block writes to its slot of the workspace.
enum class SlotUse : std::uint8_t {
    none,       ///< there are no slots
    partial,    ///< the block's partial result
    published,  ///< partial result and flag in one word of 8 or 16 bytes, which is zero between calls
    overflow    ///< as `published`, but only for grids of more than most_blocks() blocks
};

/// The requirements of a finish and the launches that it makes.
struct FinishTraits {
    Finish finish = Finish::two_kernel;
    SlotUse slots = SlotUse::none;
    Continuation continuation = Continuation::none;
    bool second_launch_is_pdl = false;          ///< the second launch is a programmatic dependent launch
    int minimum_compute_capability = 0;         ///< major x 10 + minor; 0: every device that redtune supports
    bool needs_forward_progress = false;        ///< the first block waits for all others, so each must make progress
    bool needs_cluster = false;                 ///< true: launched in thread block clusters; false: without clusters
    bool needs_addition = false;                ///< works only if the operator's combine() is addition
    std::uint32_t most_accumulator_bytes = 16;  ///< largest accumulator that the finish can combine
    bool combines_in_fixed_order = true;        ///< false: the rounding depends on the order of the blocks
};

/// Returns the traits of all finishes, in the order of `enum class Finish`.
std::span<const FinishTraits> finishes() noexcept;
const FinishTraits& traits_of(Finish finish) noexcept;

std::string_view to_string(Finish finish) noexcept;
/// Returns the finish with this name.
/// @throws InputError, which lists the allowed names, if no finish has this name.
Finish parse_finish(std::string_view name);
std::vector<std::string> finish_names();

/// Returns whether the finish can combine the problem's accumulators on a device of this compute capability.
bool is_supported(Finish finish, const Problem& problem, int compute_capability) noexcept;

/// Returns the size of a block's slot in the workspace, in bytes; 0 if the finish has no slots.
std::uint32_t slot_bytes(Finish finish, const Problem& problem) noexcept;

/// Returns whether the slots must be zero before the first call. (The header always must.)
bool needs_zeroed_slots(Finish finish, const Problem& problem) noexcept;

/// Returns the largest grid for which the finish works as its name says. The kernel is also correct for a larger grid,
/// but then combines the partials by the method of another finish.
std::uint64_t most_blocks(Finish finish, const Problem& problem) noexcept;

/// Returns whether two calls on the same input give the same bits.
bool is_deterministic(Finish finish, const Problem& problem) noexcept;

/// A launch value that the candidate's finish determines. A family with a parameter `finish` need not derive this
/// value; if the family derives it, the derived value overrides that of the finish.
struct FinishValue {
    std::string_view name;
    Value (*value)(Finish, const Problem&);
};
std::span<const FinishValue> finish_values() noexcept;

/// Returns the traits as text, which is part of a family's code hash because the traits decide how kernels are
/// launched.
std::string describe(const FinishTraits& traits);

}  // namespace redtune
