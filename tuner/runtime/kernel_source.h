#pragma once

#include <span>
#include <string>
#include <vector>

#include "redtune/device.h"
#include "redtune/problem.h"
#include "redtune/reducer.h"
#include "tuner/jit/compiler.h"
#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/kernel_loader.h"

namespace redtune::runtime {

/// The sources of a reducer's kernels: the families, an operator of the user, the kernel caches and the compiler.
/// NVRTC is opened only for a kernel that no cache has. Not thread-safe.
class KernelSource {
  public:
    /// @param options name the source of the user's operator, if there is one
    /// @throws InputError for a bad operator, and if it is given both as a file and as text
    KernelSource(const Problem& problem, const DeviceInfo& device, const ReducerOptions& options);
    KernelSource(const KernelSource&) = delete;
    KernelSource& operator=(const KernelSource&) = delete;

    std::span<const Family> families() const noexcept { return families_; }
    launch::KernelLoader& loader() noexcept { return loader_; }
    /// Returns the warning of the kernel cache; empty if all works.
    std::string warning() const { return cache_.warning(); }

  private:
    jit::SourceSet sources_;
    std::vector<Family> families_;
    jit::CubinCache cache_;
    jit::Compiler compiler_;
    launch::KernelLoader loader_;
};

}  // namespace redtune::runtime
