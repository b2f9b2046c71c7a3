#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/gpu/stream.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/batch_checker.h"
#include "tuner/timing/inputs.h"

namespace redtune::timing {

/// Checks whether a kernel's results are right. It runs the kernel on exact values, for which every order of
/// combination gives the same bits. It compares the results with those of a reference kernel, which shares no code with
/// the families except the operator itself.
class Checker {
  public:
    Checker(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, gpu::Stream& stream);

    /// Checks one size, with two calls in a row on one workspace. Does not check a size that exceeds the exact input.
    /// @return empty if both results are right or the size was not checked, else the case, the expected and the actual
    /// value.
    std::optional<std::string> check_size(const launch::LoadedKernel& loaded_kernel, std::uint64_t n);

    /// Returns the microseconds that the second call of the last check_size() took, including its launch latency.
    /// Returns 0 if the size exceeded the exact input, so that no call was made.
    double last_call_us() const { return last_call_us_; }

    /// Checks the sizes at which kernels are most often wrong, with two calls each; returns as check_size() does. Whole
    /// arrays have 0 elements, 1 element, about one tile and a prime number of elements, and some begin off alignment.
    /// Inputs with rows or columns have no row, one row, about as many rows as a block reduces, and a prime number of
    /// rows. Further inputs have a first or last element that differs from the rest, with NaN and infinities for
    /// floats. Last come the 16 sizes of random_sizes(), seeded by `configuration`, the text of the configuration.
    std::optional<std::string> check_hard_sizes(const launch::LoadedKernel& loaded_kernel,
                                                std::string_view configuration);

  private:
    void make_special_calls();
    BatchChecker::Call exact_call(std::uint64_t n, std::uint64_t offset) const;
    BatchChecker::Group random_calls(const LaunchRule& rule, std::string_view configuration) const;

    const SupportKernels& kernels_;
    Inputs& inputs_;
    Problem problem_;
    gpu::Stream& stream_;
    BatchChecker batch_;
    gpu::DeviceBuffer special_;
    std::vector<gpu::DeviceBuffer> special_results_;
    std::vector<BatchChecker::Call> special_calls_;
    double last_call_us_ = 0;
};

}  // namespace redtune::timing
