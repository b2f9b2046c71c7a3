#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tuner/cli/cache_layers.h"
#include "tuner/cli/table.h"

namespace redtune::cli {

/// The conditions for entries to be removed. All that are given must hold.
struct ClearFilter {
    std::set<std::string> architectures;           ///< empty: all
    std::optional<std::chrono::hours> unused_for;  ///< the time since the last use must exceed this
};

/// Removes entries of a layer and prints what was removed.
/// @return the exit code: done, or failed if an entry cannot be removed
int clear_cache(const CacheLayer& layer, const ClearFilter& filter, Format format);

/// Reads every entry of all layers, and prints those that are damaged or not trusted.
/// @param repair removes them from layers whose entries may be removed
/// @return the exit code: done, or failed if such an entry is left
int verify_cache(const std::vector<CacheLayer>& layers, bool repair, Format format);

}  // namespace redtune::cli
