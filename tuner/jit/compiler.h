#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tuner/gpu/nvrtc.h"
#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/kernel_store.h"
#include "tuner/jit/source_set.h"

namespace redtune::jit {

/// A kernel to compile: the instantiation of a template, and the sources that it needs.
struct KernelName {
    std::string source;               ///< the one that defines the template: "templates/single_block.cuh"
    std::string expression;           ///< "redtune::single_block<redtune::Problem<...>, 256, 4, 16, 0>"
    std::string included_first = {};  ///< a source that the program includes before `source`; empty: none

    friend auto operator<=>(const KernelName&, const KernelName&) = default;
};

/// The progress of a compilation, in kernels.
struct CompileCounts {
    std::size_t wanted = 0;
    std::size_t done = 0;  ///< compiled now, failed, or taken from memory or the cache
    std::size_t from_cache = 0;
    std::size_t failed = 0;
};

/// The kernels that a compiler accepts from memory and from the cache.
enum class Accepted : std::uint8_t {
    /// Kernels that this process's NVRTC made, so that a measurement belongs to one toolchain. Needs an NVRTC.
    of_this_nvrtc,
    /// Kernels of any NVRTC whose code the driver can load. Needs an NVRTC only for kernels that are not in the cache.
    of_any_nvrtc
};

struct CompilerOptions {
    Accepted accepted = Accepted::of_this_nvrtc;
    unsigned threads = 0;  ///< threads that compile; 0: one for each core
    /// Returns the NVRTC; nullptr: there is none. Tests hide NVRTC with another function.
    const gpu::Nvrtc* (*find_nvrtc)() = gpu::Nvrtc::find;
};

/// Compiles kernels for one architecture. Kernels come from memory, else from the cache, else from NVRTC. An NVRTC
/// program instantiates several kernels, the programs are compiled on all cores, and the results go to the cache. Not
/// thread-safe; it starts threads of its own.
class Compiler {
  public:
    /// Opens neither NVRTC nor the driver. `architecture` must be a real architecture such as "sm_90". `sources` and
    /// `cache` must outlive the compiler, and `sources` must not change.
    Compiler(const SourceSet& sources, CubinCache& cache, std::string architecture, CompilerOptions options = {});

    /// Returns one result for each name, in order. A kernel that does not compile does not affect the others.
    /// `progress` is called from this thread. When `stop` becomes true, the kernels not yet begun get the error
    /// "stopped".
    ///
    /// If kernels are missing and cannot be compiled because NVRTC is missing or does not know the architecture,
    /// Accepted::of_any_nvrtc takes them from the cache for a compatible architecture (compatible_architectures()).
    /// @throws DeviceError if that does not find them all, and for Accepted::of_this_nvrtc if NVRTC is missing;
    /// InputError if a name's source is unknown.
    std::vector<CompiledKernel> compile(const std::vector<KernelName>& names,
                                        const std::function<void(const CompileCounts&)>& progress = {},
                                        const std::atomic<bool>* stop = nullptr);

    /// Returns a kernel that is in memory or in the cache; empty if it would have to be compiled.
    /// @throws as compile()
    std::optional<CompiledKernel> find(const KernelName& name) { return store_.find(key_of(name), accept_nvrtc()); }

  private:
    struct Unit;
    using Includes = std::pair<std::string, std::string>;  // KernelName::included_first and KernelName::source

    KernelKey key_of(const KernelName& name);
    AcceptNvrtc accept_nvrtc() const;
    /// Returns why NVRTC cannot compile for the architecture, with a remedy; empty if it can.
    std::string why_not_compilable() const;
    /// Fills in the kernels that are in memory or in the cache. Returns the indices of the others.
    std::vector<std::size_t> find_all(const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels);
    /// Fills in missing kernels with those for compatible architectures, and removes these from `missing`.
    void find_compatible(const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels,
                         std::vector<std::size_t>& missing);
    /// Returns if NVRTC can compile the missing kernels, or if find_compatible() finds all of them; else throws.
    void require_nvrtc(const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels,
                       std::vector<std::size_t>& missing);
    std::vector<Unit> make_units(const std::vector<KernelName>& names, const std::vector<std::size_t>& missing) const;
    /// Compiles the kernels of a unit in one program. If that fails, compiles each kernel in a program of its own.
    /// Returns the compiled units: one, or one for each kernel.
    std::vector<Unit> compile_unit(Unit unit) const;
    /// Fills in the kernels of a unit that compiled, and keeps them in memory and in the cache.
    void keep(const Unit& unit, const std::vector<KernelName>& names, std::vector<CompiledKernel>& kernels);

    const SourceSet& sources_;
    CubinCache& cache_;
    std::string architecture_;
    CompilerOptions options_;
    std::vector<std::string> compile_options_;  // those that do not depend on the architecture
    std::vector<gpu::Header> headers_;          // empty until something is compiled
    std::map<Includes, std::string> code_;      // hash of the code that a program with these includes has
    KernelStore store_;
};

}  // namespace redtune::jit
