#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace redtune {

/// The kernel that a launch runs. A configuration has one or two of these kernels.
enum class KernelRole : std::uint8_t {
    first,            ///< reads the input array
    repeat,           ///< runs the family's kernel on the partial results of the previous launch
    combine_partials  ///< combines the partial results of the previous launch, with one block for each result
};

/// One kernel launch. All launches of a plan must be made in order in one CUDA stream.
struct Launch {
    KernelRole role = KernelRole::first;  ///< the kernel that is launched
    std::uint32_t grid = 1;               ///< blocks in x; y and z are 1
    std::uint32_t block = 1;              ///< threads in x; y and z are 1
    std::uint32_t shared_bytes = 0;       ///< bytes of dynamic shared memory per block
    std::uint64_t n = 0;  ///< elements or partial results that this launch reads; results of matrices without rows
    std::uint64_t row_length = 0;  ///< number of the n elements that are combined into one result or partial result
    /// Number of columns of each matrix, if the kernel reduces columns; else 0, and elements that are combined are next
    /// to each other.
    std::uint64_t columns = 0;
    std::uint64_t read_slot = 0;   ///< index of the first partial result that is read; unused by the first launch
    std::uint64_t write_slot = 0;  ///< index of the first partial result that is written, if the launch writes any
    std::uint32_t cluster = 1;     ///< blocks in a cluster (CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION); 1: no clusters
    /// Programmatic dependent launch (CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION): the kernel may start
    /// before the previous kernel in the stream has ended, and itself waits for that kernel. The result is the same
    /// without the attribute.
    bool pdl = false;
};

/// The launches (at most 12) and the workspace with which one configuration reduces one size.
///
/// The workspace is `workspace_bytes` of device memory aligned to 256 bytes: a 256-byte header followed
/// by slots of `slot_bytes`. Its first `zeroed_bytes` must be zero before the first call; every call
/// leaves them zero again, so one workspace serves any number of calls in stream order. Two streams
/// need two workspaces. A workspace whose last call was aborted must be zeroed again. The address of
/// the workspace does not change any result, but on large devices it changes the time of small reductions (see "The
/// address of the workspace" in docs/method.md).
struct LaunchPlan {
    static constexpr std::size_t max_launches = 12;     ///< most launches of any plan
    static constexpr std::uint64_t header_bytes = 256;  ///< bytes of the workspace before the first slot

    std::array<Launch, max_launches> steps{};  ///< the launches, in order; the first `count` are used
    std::uint32_t count = 0;                   ///< number of launches
    std::uint32_t slot_bytes = 0;              ///< bytes of a partial result in the workspace
    std::uint64_t workspace_bytes = 0;         ///< bytes of device memory that a call needs, aligned to 256
    std::uint64_t zeroed_bytes = 0;            ///< bytes at the beginning that are zero before and after each call
    std::uint64_t elements_per_result = 0;     ///< elements that are combined into one result; a mean divides by it

    /// Returns the launches in order.
    std::span<const Launch> launches() const noexcept { return {steps.data(), count}; }
};

}  // namespace redtune
