#pragma once

#include <filesystem>

#include "tuner/jit/cubin_cache.h"

namespace redtune::cli {

/// The kernel cache of a command. The constructor and the destructor print the cache's warning on stderr, if there is
/// one, and only once.
class KernelCache {
  public:
    /// Opens the cache in the default folders.
    KernelCache();
    /// Opens a cache in one folder, which everyone may read and which keeps everything.
    explicit KernelCache(const std::filesystem::path& folder);
    ~KernelCache();
    KernelCache(const KernelCache&) = delete;
    KernelCache& operator=(const KernelCache&) = delete;

    operator jit::CubinCache&() noexcept { return cache_; }
    const jit::CubinCache* operator->() const noexcept { return &cache_; }

  private:
    void warn();

    jit::CubinCache cache_;
    bool has_warned_ = false;
};

}  // namespace redtune::cli
