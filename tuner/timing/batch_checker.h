#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/gpu/stream.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/support_kernels.h"

namespace redtune::timing {

/// Checks a kernel at many sizes with a single wait for the device, so that each further size costs only a few
/// launches. Each call writes to its own output, which is poisoned before, and its result is compared with that of a
/// reference kernel on the same exact values.
class BatchChecker {
  public:
    struct Call {
        std::string name;  ///< for a message
        std::uint64_t n = 0;
        launch::InputArrays input;
        CUdeviceptr expected = 0;  ///< the right results in device memory; 0: a reference kernel computes them
    };
    /// Calls that run one after another on one workspace, which is poisoned and zeroed before the first one only. Each
    /// group has a workspace of its own.
    using Group = std::vector<Call>;

    BatchChecker(const SupportKernels& kernels, const Problem& problem, gpu::Stream& stream);

    /// Makes all calls and checks their results, and whether they wrote past their output or workspace, or left the
    /// workspace unfit for the next call. Returns a description of the first fault: the name of the call, the expected
    /// and the actual value. Empty if there is none.
    std::optional<std::string> check(const launch::LoadedKernel& loaded_kernel, std::span<const Group> groups);

    /// Returns the microseconds that the last call of the last check() took, including its launch latency.
    double last_call_us() const { return last_call_us_; }

  private:
    /// A call with its launch plan, the number of its results, and the byte offsets of its output, its reference
    /// results and its workspace in their buffers.
    struct PlacedCall {
        const Call* call = nullptr;
        LaunchPlan plan;
        std::uint64_t results = 0;
        std::uint64_t output = 0;
        std::uint64_t reference = 0;
        std::uint64_t workspace = 0;
    };
    /// The workspace of a group: its byte offset and sizes, and the name of the group's first call.
    struct PlacedWorkspace {
        std::uint64_t begin = 0;
        std::uint64_t bytes = 0;
        std::uint64_t zeroed_bytes = 0;
        const std::string* name = nullptr;
    };
    struct Placed {
        std::vector<PlacedCall> calls;
        std::vector<PlacedWorkspace> workspaces;
        std::uint64_t output_bytes = 0;
        std::uint64_t workspace_bytes = 0;
    };

    Placed place(const LaunchRule& rule, std::span<const Group> groups);
    void enqueue_references(const Placed& placed);
    void prepare_buffers(const Placed& placed);
    void enqueue_calls(const launch::LoadedKernel& loaded_kernel, const Placed& placed);
    launch::InputArrays input_of(const launch::LoadedKernel& loaded_kernel, const Call& call);
    JudgeRequest judge_request(const PlacedCall& call) const;
    std::optional<std::string> wrong_result(const Placed& placed) const;
    std::optional<std::string> wrong_workspace(const Placed& placed) const;

    const SupportKernels& kernels_;
    Problem problem_;
    gpu::Stream& stream_;
    gpu::DeviceBuffer workspaces_;
    gpu::DeviceBuffer outputs_;
    gpu::DeviceBuffer references_;
    gpu::DeviceBuffer partials_;
    gpu::DeviceBuffer mismatches_;
    gpu::DeviceBuffer copy_;  ///< copy of the input, for a kernel that overwrites its input
    gpu::Event begin_;        ///< before the last call
    gpu::Event end_;
    double last_call_us_ = 0;
};

}  // namespace redtune::timing
