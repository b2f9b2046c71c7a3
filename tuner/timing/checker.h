#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/gpu/stream.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/batch_checker.h"
#include "tuner/timing/inputs.h"
#include "tuner/timing/workspace.h"

namespace redtune::timing {

/// Judges whether a kernel's results are right. It runs the kernel on exact values, for which every order of
/// combination gives the same bits, and compares with the result of a reference kernel that applies the operator alone
/// and shares no code with the families. Output and workspace are poisoned before each case.
class Checker {
  public:
    Checker(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, gpu::Stream& stream);

    /// Checks one size, with two calls in a row on one workspace.
    /// @return empty if both results are right, else the case, what was expected and what came.
    std::optional<std::string> check_size(const launch::LoadedKernel& loaded_kernel, std::uint64_t n);

    /// The time of the second call of the last check_size, with its launch. 0: the exact input is shorter than that
    /// size, so that no call was made.
    double last_call_us() const { return last_call_us_; }

    /// Checks the sizes at which kernels are most often wrong, with two calls each. Whole arrays: 0, 1, around a tile,
    /// a prime, off alignment. Rows: none, one, around the rows of a block, a prime number. Both: inputs whose first or
    /// last element differs from the rest; for floats also NaN and infinities; and the 16 random sizes of
    /// random_sizes(), which follow from the text of the configuration.
    std::optional<std::string> check_hard_sizes(const launch::LoadedKernel& loaded_kernel,
                                                std::string_view configuration);

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
    std::optional<std::string> check_random_sizes(const launch::LoadedKernel& loaded_kernel,
                                                  std::string_view configuration);
    std::optional<std::string> run(const launch::LoadedKernel& loaded_kernel, const Case& entry);
    launch::InputArrays copy(const Case& entry);

    const SupportKernels& kernels_;
    Inputs& inputs_;
    Problem problem_;
    gpu::Stream& stream_;
    BatchChecker batch_;
    Workspace workspace_;
    gpu::DeviceBuffer outputs_;
    gpu::DeviceBuffer copy_;  ///< of the input, for a kernel that overwrites it
    gpu::DeviceBuffer special_;
    std::vector<gpu::DeviceBuffer> special_results_;
    std::vector<Case> special_cases_;
    gpu::Event begin_;
    gpu::Event end_;
    double last_call_us_ = 0;
};

}  // namespace redtune::timing
