#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>

#include "tuner/jit/compiler.h"

namespace redtune::cli {

/// The outcome of warming a cache for one architecture.
struct WarmOutcome {
    jit::CompileCounts counts;
    std::size_t problems = 0;
    std::uint64_t cubin_bytes = 0;  ///< size of all kernels, also of those that were in the cache
};

/// Compiles the kernels that are not in the cache. Prints on stderr the progress, and the logs of kernels that do not
/// compile. When `stop` becomes true, leaves the others uncompiled.
/// @return the outcome, without `problems`
/// @throws Error if kernels were compiled and cannot be kept; DeviceError if NVRTC is needed, and is missing or does
/// not know the architecture
WarmOutcome warm_cache(const std::set<jit::KernelName>& names, const jit::SourceSet& sources, jit::CubinCache& cache,
                       const std::string& architecture, const std::atomic<bool>& stop);

}  // namespace redtune::cli
