#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuner/gpu/stream.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/inputs.h"
#include "tuner/timing/workspace.h"

namespace redtune::timing {

/// The correctness oracle: runs candidates on exact values, where any order of combination gives the same bits, with
/// output and workspace poisoned, every case twice in a row on one workspace, and compares with what the operator alone
/// makes of the input in a kernel that shares nothing with the families.
class Checker {
  public:
    Checker(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, gpu::Stream& stream);

    /// At one size. @return empty if right, else the case, what was expected and what came.
    std::optional<std::string> check_size(const launch::LoadedKernel& loaded_kernel, std::uint64_t n);

    /// How long the second call of the last check took, with its launch. 0: check_size had no room to make any call.
    double last_call_us() const { return last_call_us_; }

    /// A whole array: at 0, 1, around a tile, a prime, off alignment. Rows: none, one, around a block's, a prime
    /// number. Both: elements that stand out at either end; for floats also NaN and infinities.
    std::optional<std::string> check_hard_sizes(const launch::LoadedKernel& loaded_kernel);

  private:
    struct Case {
        std::string name;
        launch::InputArrays input;
        std::uint64_t n;
        CUdeviceptr expected;
    };
    void make_special_cases();
    std::optional<std::string> check_exact(const launch::LoadedKernel& loaded_kernel, std::uint64_t offset,
                                           std::uint64_t n);
    std::optional<std::string> run(const launch::LoadedKernel& loaded_kernel, const Case& entry);
    launch::InputArrays copy(const Case& entry);

    const SupportKernels& kernels_;
    Inputs& inputs_;
    Problem problem_;
    gpu::Stream& stream_;
    Workspace workspace_;
    gpu::DeviceBuffer outputs_;
    gpu::DeviceBuffer copy_;  ///< of an input that a candidate overwrites
    gpu::DeviceBuffer special_;
    std::vector<gpu::DeviceBuffer> special_results_;
    std::vector<Case> special_cases_;
    gpu::Event begin_;
    gpu::Event end_;
    double last_call_us_ = 0;
};

}  // namespace redtune::timing
