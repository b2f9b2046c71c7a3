#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/catalog.h"
#include "tuner/core/family.h"
#include "tuner/jit/compiler.h"

namespace redtune::cli {

/// The kernels of winners.
struct WinnerKernels {
    std::set<jit::KernelName> names;
    std::set<std::string> unusable;  ///< winners whose kernels cannot be named: the messages of these errors
};

/// Adds the kernels that a look-up of a problem on a device can return, in any regime. Left out are those that cannot
/// run on the architecture, which may be another than the device's.
/// @param problem one of catalog.problems(device)
/// @param sizes the sizes of the look-ups and those between them; empty: all sizes
/// @param compute_capability of the architecture, major x 10 + minor
void add_winner_kernels(const Catalog& catalog, std::span<const Family> families, const Problem& problem,
                        std::string_view device, std::span<const std::uint64_t> sizes, int compute_capability,
                        WinnerKernels& found);

}  // namespace redtune::cli
