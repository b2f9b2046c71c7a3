#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "tuner/gpu/module.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/enqueue.h"
#include "tuner/search/executor.h"

namespace redtune::search {

/// Turns trials into kernels that can be launched, in the context that is current. Not thread-safe.
class KernelLoader {
  public:
    KernelLoader(jit::Compiler& compiler, const Problem& problem) : compiler_(compiler), problem_(problem) {}

    /// Compiles all that the trials need and that is not compiled yet. A kernel that does not compile fails when it is
    /// loaded. `stop` leaves the rest for another time.
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress = {},
                 const std::atomic<bool>* stop = nullptr);

    /// @throws CompileError with the log; Error for a trial that was not prepared.
    launch::LoadedKernel load(const Trial& trial);

  private:
    jit::Compiler& compiler_;
    Problem problem_;
    std::map<jit::KernelName, jit::CompiledKernel> kernels_;
    std::map<const std::string*, std::unique_ptr<gpu::Module>> modules_;
};

}  // namespace redtune::search
