#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/core/measurement.h"
#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/kernel_key.h"

namespace redtune::jit {

/// The result of compiling one kernel: machine code, or an error.
struct CompiledKernel {
    std::shared_ptr<const std::string> cubin;  ///< shared with the other kernels of its program; null after an error
    std::string symbol;                        ///< the kernel's name in the cubin
    KernelResources resources;
    std::string architecture;  ///< architecture of the cubin, "sm_90"; it can be one that only is compatible
    std::string nvrtc;         ///< build identity of the NVRTC that made the cubin: "nvrtc 13.0 <build id>"
    std::string error;         ///< NVRTC's log; empty: compiled
};

/// Returns the text that a cache stores for a kernel: its symbol and resources, the NVRTC that made it, and the key of
/// its cubin, which is an entry of its own because all kernels of a program share it.
std::string encode_kernel(const CompiledKernel& kernel, const std::string& key_of_cubin);

/// A kernel's cache entry.
struct KernelEntry {
    CompiledKernel kernel;  ///< without cubin and architecture
    std::string key_of_cubin;
};

/// Returns what encode_kernel() encoded; empty for any other text.
std::optional<KernelEntry> decode_kernel(const std::string& text);

using AcceptNvrtc = std::function<bool(const std::string& build_identity)>;

/// The compiled kernels of one process: those in memory, and those of a cache. Not thread-safe.
class KernelStore {
  public:
    explicit KernelStore(CubinCache& cache) : cache_(cache) {}

    /// Returns the kernel with this key, from memory or else from the cache; empty if it is in neither.
    /// @param accepts gets the build identity of the NVRTC that made a kernel, and returns whether the kernel counts
    std::optional<CompiledKernel> find(const KernelKey& key, const AcceptNvrtc& accepts);

    /// Keeps the kernels of one program in memory and in the cache. They must share one cubin.
    void put(const std::vector<KernelKey>& keys, const std::vector<CompiledKernel>& kernels);

  private:
    std::optional<CompiledKernel> read(const KernelKey& key, const AcceptNvrtc& accepts);
    /// Returns the cubin with this key from memory or else from the cache; null if it is in neither.
    std::shared_ptr<const std::string> read_cubin(const std::string& key);

    CubinCache& cache_;
    std::map<KernelKey, CompiledKernel> kernels_;
    std::map<std::string, std::shared_ptr<const std::string>> cubins_;  // by cache key
};

}  // namespace redtune::jit
