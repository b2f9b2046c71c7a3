#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace redtune::timing {

/// Returns the index of the first of the `wanted` consecutive granules whose loads take the fewest cycles in total; 0
/// if there are fewer granules. Each granule of memory belongs to one part of the L2, and loads from a far part take
/// longer (docs/method.md, "The address of the workspace").
/// @param cycles cycles that a load from each granule takes
std::size_t nearest_start(std::span<const std::uint32_t> cycles, std::size_t wanted);

}  // namespace redtune::timing
