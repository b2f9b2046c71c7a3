#include "tuner/cli/cache_layers.h"

#include <system_error>

#include "tuner/jit/cache_file.h"
#include "tuner/jit/cubin_cache.h"

namespace redtune::cli {

bool CacheLayer::exists() const {
    std::error_code none;
    return std::filesystem::exists(folder, none);
}

std::string CacheLayer::problem() const {
    if (!exists()) return {};
    return std::filesystem::is_directory(folder) ? jit::why_not_trusted(folder) : "it is not a folder";
}

std::vector<CacheLayer> cache_layers(const std::string& given) {
    if (!given.empty()) return {{"given", given, true}};
    return {{"user", jit::CubinCache::default_folder(), true},
            {"system", jit::CubinCache::default_system_folder(), false}};
}

std::int64_t total_bytes(const std::vector<jit::EntryFile>& entries) {
    std::uint64_t bytes = 0;
    for (const jit::EntryFile& entry : entries) bytes += entry.bytes;
    return static_cast<std::int64_t>(bytes);
}

}  // namespace redtune::cli
