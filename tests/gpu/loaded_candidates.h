#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tuner/bench/checker.h"
#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/jit/compiler.h"
#include "tuner/search/executor.h"

namespace redtune::test_support {

/// The shipped families on the first GPU, compiled and loaded as they are asked for.
///
/// $REDTUNE_BRIEF=1 keeps it short, for runs under a sanitizer.
class LoadedCandidates {
  public:
    explicit LoadedCandidates(const Problem& problem);

    bool is_brief() const { return brief_; }
    std::vector<std::uint64_t> sizes(std::vector<std::uint64_t> all) const;
    std::vector<search::Trial> trials(std::uint64_t n);
    /// Family, finish and launches: what a brief run takes one of.
    static std::string kind(const search::Trial& trial);

    /// Compiles what is not compiled yet. @throws CompileError
    bench::Runnable load(const search::Trial& trial);

    bench::Checker& checker() { return checker_; }
    bench::Inputs& inputs() { return inputs_; }
    gpu::Stream& stream() { return stream_; }
    const DeviceInfo& device() const { return device_.info; }
    const bench::FixedKernels& kernels() const { return kernels_; }

  private:
    bool brief_;
    Problem problem_;
    gpu::Device device_;
    gpu::Context context_;
    jit::SourceSet sources_;
    std::vector<Family> families_;
    jit::CubinCache cache_;
    jit::Compiler compiler_;
    gpu::Stream stream_;
    bench::FixedKernels kernels_;
    bench::Inputs inputs_;
    bench::Checker checker_;
    std::map<jit::KernelName, jit::CompiledKernel> compiled_;
    std::map<const std::string*, std::unique_ptr<gpu::Module>> modules_;
};

}  // namespace redtune::test_support
