#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/search/executor.h"
#include "tuner/timing/checker.h"

namespace redtune::test_support {

/// The candidates of the shipped families on the first GPU, compiled and loaded when a test asks for them.
///
/// $REDTUNE_BRIEF=1 keeps tests short, for runs under a sanitizer.
class LoadedCandidates {
  public:
    static constexpr std::uint64_t usual_n = std::uint64_t{16} << 20;

    /// @param largest_n the number of elements of the largest input
    explicit LoadedCandidates(const Problem& problem, std::uint64_t largest_n = usual_n);

    /// Compiles the kernels of several problems into the cache, at the same time: the kernels of one problem are too
    /// few to keep all cores busy.
    static void compile_ahead(const std::vector<Problem>& problems, const std::vector<std::uint64_t>& sizes);

    std::vector<Trial> trials(std::uint64_t n, Regime regime = Regime::cold);
    /// Returns one trial of each kind. The kind of a trial is its family, finish, load width and number of threads per
    /// row; for 32-bit sums it includes further parameters.
    std::vector<Trial> trials_of_each_kind(std::uint64_t n);

    /// Compiles the kernels of trials that are not compiled yet, on all cores.
    void prepare(const std::vector<Trial>& trials);
    /// Loads a trial, and compiles it if it is not compiled yet. @throws CompileError
    launch::LoadedKernel load(const Trial& trial);

    timing::Checker& checker() { return checker_; }
    timing::Inputs& inputs() { return inputs_; }
    gpu::Stream& stream() { return stream_; }
    const Problem& problem() const { return problem_; }
    const DeviceInfo& device() const { return device_.info; }
    const timing::SupportKernels& kernels() const { return kernels_; }

  private:
    Problem problem_;
    gpu::Device device_;
    gpu::Context context_;
    jit::SourceSet sources_;
    std::vector<Family> families_;
    jit::CubinCache cache_;
    jit::Compiler compiler_;
    gpu::Stream stream_;
    timing::SupportKernels kernels_;
    timing::Inputs inputs_;
    timing::Checker checker_;
    launch::KernelLoader loader_;
};

}  // namespace redtune::test_support
