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

/// A kernel to compile: the instantiation of a template, and the source that defines the template.
struct KernelName {
    std::string source;      ///< "templates/single_block.cuh"
    std::string expression;  ///< "redtune::single_block<redtune::Problem<...>, 256, 4, 16, 0>"

    friend auto operator<=>(const KernelName&, const KernelName&) = default;
};

/// The result of compiling one kernel: machine code, or an error.
struct CompiledKernel {
    std::shared_ptr<const std::string> cubin;  ///< shared with the other kernels of its program; null after an error
    std::string symbol;                        ///< the kernel's name in the cubin
    KernelResources resources;
    std::string error;  ///< NVRTC's log; empty: compiled
};

/// The progress of a compilation, in kernels.
struct CompileCounts {
    std::size_t wanted = 0;
    std::size_t done = 0;  ///< compiled now, failed, or taken from the cache
    std::size_t from_cache = 0;
    std::size_t failed = 0;
};

/// Compiles kernels for one architecture. An NVRTC program instantiates several kernels, the programs are compiled on
/// all cores, and the results go to the disk cache. Not thread-safe; it starts threads of its own.
class Compiler {
  public:
    /// `architecture` must be a real architecture such as "sm_90"; the cubins run on no other. `threads` is the number
    /// of threads that compile; 0 means one for each core.
    Compiler(const SourceSet& sources, CubinCache& cache, std::string architecture, unsigned threads = 0);

    /// Returns one result for each name, in order. A kernel that does not compile does not affect the others.
    /// `progress` is called from this thread. When `stop` becomes true, the kernels not yet begun get the error
    /// "stopped".
    /// @throws DeviceError if NVRTC is missing or does not know the architecture.
    std::vector<CompiledKernel> compile(const std::vector<KernelName>& names,
                                        const std::function<void(const CompileCounts&)>& progress = {},
                                        const std::atomic<bool>* stop = nullptr);

  private:
    struct Unit;
    /// Indices into the names that compile() was given, by the source that defines the kernels.
    using IndicesBySource = std::map<std::string, std::vector<std::size_t>>;

    std::string cache_key(const KernelName& name) const;
    bool load_cached(const KernelName& name, CompiledKernel& kernel);
    IndicesBySource load_all_cached(const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels);
    std::vector<Unit> make_units(const std::vector<KernelName>& names, const IndicesBySource& missing,
                                 std::size_t missing_count) const;
    /// Compiles the kernels of a unit in one program. If that fails, compiles each kernel in a program of its own.
    /// Returns the compiled units: one, or one for each kernel.
    std::vector<Unit> compile_unit(Unit unit) const;
    void store(const Unit& unit, const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels);

    const SourceSet& sources_;
    CubinCache& cache_;
    unsigned threads_;
    std::vector<std::string> options_;
    std::vector<gpu::Header> headers_;
    std::string identity_;  // hash of NVRTC's identity, the options and all sources
    std::map<std::string, std::shared_ptr<const std::string>> images_;  // cubins in memory, by cache key
};

}  // namespace redtune::jit
