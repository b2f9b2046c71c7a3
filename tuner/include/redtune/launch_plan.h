#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace redtune {

/// The kernel of a configuration that a launch runs.
enum class KernelRole : std::uint8_t {
    first,            ///< reads the input array
    repeat,           ///< the family's kernel again, on the partial results of the previous launch
    combine_partials  ///< one block for each result combines the partial results of the previous launch
};

/// One kernel launch. All launches of a plan go to one stream, in order.
struct Launch {
    KernelRole role = KernelRole::first;
    std::uint32_t grid = 1;          ///< blocks in x; y and z are 1
    std::uint32_t block = 1;         ///< threads in x; y and z are 1
    std::uint32_t shared_bytes = 0;  ///< dynamic shared memory per block
    std::uint64_t n = 0;             ///< elements (or partials) that this launch reads
    std::uint64_t row_length = 0;    ///< how many of the n elements become one result or partial result
    std::uint64_t read_slot = 0;     ///< index of the first partial result that it reads; unused by the first launch
    std::uint64_t write_slot = 0;    ///< index of the first partial result that it writes, if it writes partial results
    std::uint32_t cluster = 1;       ///< blocks in a cluster (CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION); 1: no clusters
    /// Programmatic dependent launch (CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION): the kernel may start
    /// before the previous one in the stream has ended, and waits for it by itself. Without the attribute the result is
    /// the same.
    bool pdl = false;
};

/// How one configuration reduces one size: at most 12 launches and a workspace.
///
/// The workspace is `workspace_bytes` of device memory aligned to 256 bytes: a 256-byte header followed
/// by slots of `slot_bytes`. Its first `zeroed_bytes` must be zero before the first call; every call
/// leaves them zero again, so one workspace serves any number of calls in stream order. Two streams
/// need two workspaces. A workspace whose last call was aborted must be zeroed again. The address of
/// the workspace does not change any result; on large devices it changes the time of small reductions: "The
/// address of the workspace" in docs/method.md.
struct LaunchPlan {
    static constexpr std::size_t max_launches = 12;
    static constexpr std::uint64_t header_bytes = 256;

    std::array<Launch, max_launches> steps{};
    std::uint32_t count = 0;
    std::uint32_t slot_bytes = 0;
    std::uint64_t workspace_bytes = 0;
    std::uint64_t zeroed_bytes = 0;
    std::uint64_t elements_per_result = 0;  ///< the number that a mean divides by

    std::span<const Launch> launches() const noexcept { return {steps.data(), count}; }
};

}  // namespace redtune
