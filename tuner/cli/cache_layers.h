#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/jit/entry_folder.h"

namespace redtune::cli {

/// A folder of compiled kernels.
struct CacheLayer {
    std::string_view name;  ///< "user", "system" or "given"
    std::filesystem::path folder;
    bool is_own = false;  ///< the commands may remove its entries

    bool exists() const;
    /// Returns why no kernel is taken from the folder; empty if kernels are.
    std::string problem() const;
    std::vector<jit::EntryFile> entries() const { return jit::list_entries(folder); }
};

/// Returns the folders from which kernels are taken, in this order: the user's and the system's.
/// @param given the only folder, in place of these; empty: there is none
std::vector<CacheLayer> cache_layers(const std::string& given);

/// Returns the size of files in bytes.
std::int64_t total_bytes(const std::vector<jit::EntryFile>& entries);

}  // namespace redtune::cli
