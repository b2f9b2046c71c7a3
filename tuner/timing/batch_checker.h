#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/gpu/stream.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/inputs.h"
#include "tuner/timing/workspace.h"

namespace redtune::timing {

/// Checks a kernel at many sizes with a single wait for the device, so that each further size costs only a few
/// launches. The calls run one after another on one workspace. Each call writes to its own output, which is poisoned
/// before, and its result is compared with that of a reference kernel on the same exact values.
class BatchChecker {
  public:
    /// A call that reduces n elements of the exact input, from element `offset` on.
    struct Call {
        std::uint64_t n = 0;
        std::uint64_t offset = 0;
    };

    BatchChecker(const SupportKernels& kernels, const Inputs& inputs, const Problem& problem, gpu::Stream& stream);

    /// Makes all calls and checks their results. Returns a description of the first wrong result: its size, the
    /// expected and the actual value. Empty if every result is right.
    std::optional<std::string> check(const launch::LoadedKernel& loaded_kernel, std::span<const Call> calls);

  private:
    /// A call with its launch plan, the number of its results, and the byte offsets of its output and its reference
    /// results in their buffers.
    struct PlacedCall {
        Call call;
        LaunchPlan plan;
        std::uint64_t results = 0;
        std::uint64_t output = 0;
        std::uint64_t reference = 0;
    };

    std::vector<PlacedCall> plan_calls(const LaunchRule& rule, std::span<const Call> calls);
    void enqueue_references(const std::vector<PlacedCall>& calls);
    void enqueue_calls(const launch::LoadedKernel& loaded_kernel, const std::vector<PlacedCall>& calls);
    launch::InputArrays input_of(const launch::LoadedKernel& loaded_kernel, const Call& call);
    JudgeRequest judge_request(const PlacedCall& call) const;
    std::optional<std::string> verdict(const std::vector<PlacedCall>& calls) const;

    const SupportKernels& kernels_;
    const Inputs& inputs_;
    Problem problem_;
    gpu::Stream& stream_;
    Workspace workspace_;
    gpu::DeviceBuffer outputs_;
    gpu::DeviceBuffer references_;
    gpu::DeviceBuffer partials_;
    gpu::DeviceBuffer mismatches_;
    gpu::DeviceBuffer copy_;  ///< copy of the input, for a kernel that overwrites its input
};

}  // namespace redtune::timing
