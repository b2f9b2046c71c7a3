#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "tuner/gpu/module.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_request.h"
#include "tuner/launch/loaded_kernel.h"

namespace redtune::launch {

/// Compiles configurations of one problem and loads them into the current context. Not thread-safe.
class KernelLoader {
  public:
    /// `compiler` and `families` must outlive the loader.
    KernelLoader(jit::Compiler& compiler, std::span<const Family> families, const Problem& problem)
        : compiler_(compiler), families_(families), problem_(problem) {}

    /// Compiles the kernels of all requests that are not compiled yet, on all cores. A kernel that does not compile is
    /// no error here; load() throws for it. `progress` is called from this thread; `stop`, when it becomes true, leaves
    /// the remaining kernels uncompiled.
    /// @throws InputError if a request names an unknown family, or its parameters do not fit the family.
    void prepare(std::span<const KernelRequest> requests,
                 const std::function<void(const jit::CompileCounts&)>& progress = {},
                 const std::atomic<bool>* stop = nullptr);

    /// Returns whether load() would compile nothing: all kernels of the configuration are in memory or in the cache.
    /// @throws InputError for the same reasons as prepare()
    bool is_compiled(const KernelRequest& request);

    /// Returns the kernels of a configuration, ready to be launched until the loader is destroyed. Compiles kernels
    /// that prepare() has not compiled.
    /// @throws InputError for the same reasons as prepare(); CompileError with the compiler's log; DeviceError if the
    /// kernels cannot be loaded.
    LoadedKernel load(const KernelRequest& request);
    LoadedKernel load(const Configuration& configuration, const LaunchRule& rule) {
        return load(KernelRequest(configuration, rule));
    }
    /// Returns the kernels of a look-up's result. They reduce inputs of any size n: `match.rule` plans the launches for
    /// it.
    LoadedKernel load(const Match& match) { return load(KernelRequest(match)); }

  private:
    jit::KernelName name_of(const KernelRequest& request, KernelRole role) const;

    jit::Compiler& compiler_;
    std::span<const Family> families_;
    Problem problem_;
    std::map<jit::KernelName, jit::CompiledKernel> kernels_;
    std::map<const std::string*, std::unique_ptr<gpu::Module>> modules_;  // by cubin
};

}  // namespace redtune::launch
