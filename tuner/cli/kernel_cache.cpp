#include "tuner/cli/kernel_cache.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>

namespace redtune::cli {

KernelCache::KernelCache() : cache_(jit::CubinCache::open_default()) {
    warn();
}

KernelCache::KernelCache(const std::filesystem::path& folder)
    : cache_(folder, std::numeric_limits<std::uint64_t>::max(), {}, jit::Readers::everyone) {
    warn();
}

KernelCache::~KernelCache() {
    warn();
}

void KernelCache::warn() {
    const std::string warning = has_warned_ ? std::string() : cache_.warning();
    if (warning.empty()) return;
    fmt::print(stderr, "{}\n", warning);
    has_warned_ = true;
}

}  // namespace redtune::cli
