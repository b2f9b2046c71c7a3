#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tuner/core/measurement.h"
#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/source_set.h"

namespace redtune::jit {

/// A kernel to compile: a template's instantiation, and the source that defines the template.
struct KernelName {
    std::string source;      ///< "templates/single_block.cuh"
    std::string expression;  ///< "redtune::single_block<redtune::Problem<...>, 256, 4, 16, 0>"

    friend auto operator<=>(const KernelName&, const KernelName&) = default;
};

/// Machine code for one kernel, or the reason why there is none.
struct CompiledKernel {
    std::shared_ptr<const std::string> cubin;  ///< may hold other kernels too; empty after an error
    std::string symbol;                        ///< the kernel's name in the cubin
    KernelResources resources;
    std::string error;  ///< NVRTC's log; empty: compiled
};

struct CompileCounts {
    std::size_t wanted = 0;
    std::size_t done = 0;  ///< compiled now, or taken from the cache
    std::size_t from_cache = 0;
    std::size_t failed = 0;
};

/// Compiles kernels for one architecture: many instantiations to an NVRTC program, programs on all cores, results in
/// the disk cache. Not thread-safe; uses threads of its own.
class Compiler {
  public:
    /// `architecture` is "sm_90": the cubins run on exactly that. `threads` 0: one for each core.
    Compiler(const SourceSet& sources, CubinCache& cache, std::string architecture, unsigned threads = 0);

    /// One result for each name, in order; a kernel that does not compile fails alone. `progress` is called from
    /// this thread. `stop`, when it becomes true, leaves the rest with the error "stopped".
    /// @throws DeviceError if NVRTC is not there or does not know the architecture.
    std::vector<CompiledKernel> compile(const std::vector<KernelName>& names,
                                        const std::function<void(const CompileCounts&)>& progress = {},
                                        const std::atomic<bool>* stop = nullptr);

  private:
    struct Unit;
    std::string cache_key(const KernelName& name) const;
    bool load_cached(const KernelName& name, CompiledKernel& kernel);
    std::vector<Unit> compile_unit(Unit unit) const;
    void store(const Unit& unit, const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels);

    const SourceSet& sources_;
    CubinCache& cache_;
    unsigned threads_;
    std::vector<std::string> options_;
    std::vector<gpu::Header> headers_;
    std::string identity_;                                              // of NVRTC, options and all sources
    std::map<std::string, std::shared_ptr<const std::string>> images_;  // cubins in memory by their cache key
};

}  // namespace redtune::jit
