#pragma once

#include <set>
#include <string>
#include <vector>

#include "tuner/cli/cache_layers.h"
#include "tuner/cli/table.h"

namespace redtune::cli {

/// Prints the size of each layer.
void print_cache_stats(const std::vector<CacheLayer>& layers, Format format);

/// Prints the kernels of all layers, those used last first. Damaged entries are left out.
/// @param architectures the only architectures to list; empty: all
/// @return the exit code: done, or nothing_found
int print_cached_kernels(const std::vector<CacheLayer>& layers, const std::set<std::string>& architectures,
                         Format format);

}  // namespace redtune::cli
