#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>

#include "tuner/gpu/module.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/enqueue.h"
#include "tuner/search/executor.h"

namespace redtune::search {

/// The kernels that the trials launch.
/// @throws InputError for a trial of a family that is not among `families`.
std::set<jit::KernelName> kernel_names(const std::vector<Family>& families, const Problem& problem,
                                       std::span<const Trial> trials);

/// Turns trials into kernels that can be launched, in the context that is current. Not thread-safe.
class KernelLoader {
  public:
    /// `compiler` and `families` must outlive the loader.
    KernelLoader(jit::Compiler& compiler, const Problem& problem, const std::vector<Family>& families)
        : compiler_(compiler), problem_(problem), families_(families) {}

    /// Compiles every kernel that the trials need and that is not compiled yet. A kernel that does not compile fails
    /// when it is loaded. `stop` ends the compilation early.
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress = {},
                 const std::atomic<bool>* stop = nullptr);

    /// @throws CompileError with the log; Error for a trial that was not prepared.
    launch::LoadedKernel load(const Trial& trial);

  private:
    jit::Compiler& compiler_;
    Problem problem_;
    const std::vector<Family>& families_;
    std::map<jit::KernelName, jit::CompiledKernel> kernels_;
    std::map<const std::string*, std::unique_ptr<gpu::Module>> modules_;
};

}  // namespace redtune::search
