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

/// How the values of a grid's blocks become one result. `enum class Finish` of kernels_src/finish.cuh has the same
/// enumerators and explains each; the functions beside it implement them.
enum class Finish : std::uint8_t { two_kernel, dependent, ticket, publish, cluster, cluster_publish, atomic, packed };

/// The name of the parameter whose values are finishes.
inline constexpr std::string_view finish_parameter = "finish";

/// The use that a block makes of its slot of the workspace.
enum class SlotUse : std::uint8_t {
    none,       ///< nothing: there are no slots
    partial,    ///< its partial result
    published,  ///< partial result and flag in one word of 8 or 16 bytes, which is zero between calls
    overflow    ///< as published, for partials that the shared words cannot hold; 32-bit integers always fit
};

/// The needs of a finish and the form of its launches.
struct FinishTraits {
    Finish finish = Finish::two_kernel;
    SlotUse slots = SlotUse::none;
    Continuation continuation = Continuation::none;
    bool second_launch_is_pdl = false;    ///< the second launch is a programmatic dependent launch
    int minimum_compute_capability = 0;   ///< major x 10 + minor; 0: every device that redtune supports
    bool needs_forward_progress = false;  ///< the first block waits for the others, which must all make progress
    bool needs_cluster = false;           ///< the blocks of a cluster are co-resident; other finishes take no clusters
    bool needs_addition = false;          ///< the operator's combine() is addition
    std::uint32_t most_accumulator_bytes = 16;
    bool combines_in_fixed_order = true;  ///< false: in the order in which the blocks arrive
};

/// Returns the traits of all finishes, in the enumeration's order.
std::span<const FinishTraits> finishes() noexcept;
const FinishTraits& traits_of(Finish finish) noexcept;

std::string_view to_string(Finish finish) noexcept;
/// @throws InputError with the allowed names.
Finish parse_finish(std::string_view name);
std::vector<std::string> finish_names();

/// Returns whether the finish can combine the problem's accumulators on a device of this compute capability.
bool is_supported(Finish finish, const Problem& problem, int compute_capability) noexcept;

/// Returns the bytes of workspace that each block needs.
std::uint32_t slot_bytes(Finish finish, const Problem& problem) noexcept;

/// Returns whether the slots, besides the header, must be zero before the first call.
bool needs_zeroed_slots(Finish finish, const Problem& problem) noexcept;

/// Returns how many blocks a grid may have. A larger grid gives the same result, but takes another finish's way to it.
std::uint64_t most_blocks(Finish finish, const Problem& problem) noexcept;

/// Returns whether two calls on the same input give the same bits.
bool is_deterministic(Finish finish, const Problem& problem) noexcept;

/// A launch value that follows from a candidate's finish. A family with a parameter `finish` does not derive it, unless
/// its own rule is another.
struct FinishValue {
    std::string_view name;
    Value (*value)(Finish, const Problem&);
};
std::span<const FinishValue> finish_values() noexcept;

/// Returns the traits as text. They are part of a family's code hash, because launches follow from them.
std::string describe(const FinishTraits& traits);

}  // namespace redtune
