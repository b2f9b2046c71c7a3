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

/// Checks a kernel at many sizes with a single wait for the device, so that one more size costs a few launches.
///
/// The calls run one after another on one workspace, each with an output of its own, poisoned before. Each result is
/// compared with what the operator alone makes of the same exact values.
class BatchChecker {
  public:
    /// One call: n elements of the exact input, from `offset` on.
    struct Call {
        std::uint64_t n = 0;
        std::uint64_t offset = 0;
    };

    BatchChecker(const SupportKernels& kernels, const Inputs& inputs, const Problem& problem, gpu::Stream& stream);

    /// @return empty if every result is right, else the first wrong one: its size, what was expected and what came.
    std::optional<std::string> check(const launch::LoadedKernel& loaded_kernel, std::span<const Call> calls);

  private:
    /// A call with its launches and its places in the buffers, in bytes.
    struct PlacedCall {
        Call call;
        LaunchPlan plan;
        std::uint64_t results = 0;
        std::uint64_t output = 0;
        std::uint64_t reference = 0;
    };

    std::vector<PlacedCall> place(const LaunchRule& rule, std::span<const Call> calls);
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
    gpu::DeviceBuffer copy_;  ///< of the input, for a kernel that overwrites it
};

}  // namespace redtune::timing
