#pragma once

#include <string>

#include "tuner/jit/cubin_cache.h"

namespace redtune::cli {

/// The kernel cache of a command, in the default folders. The constructor and the destructor print the cache's warning
/// on stderr, if there is one, and only once.
class KernelCache {
  public:
    KernelCache();
    ~KernelCache();
    KernelCache(const KernelCache&) = delete;
    KernelCache& operator=(const KernelCache&) = delete;

    operator jit::CubinCache&() noexcept { return cache_; }

  private:
    void warn();

    jit::CubinCache cache_;
    bool has_warned_ = false;
};

}  // namespace redtune::cli
