#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace redtune::timing {

/// The L2 of a large device has parts, some nearer to an SM than others, and each granule of memory has one that it
/// belongs to. Blocks hand over to the first one up to 0.25 us sooner where the workspace lies in a part that is near
/// to it (docs/method.md).
/// @param cycles that a load takes of each granule
/// @return the granule that the nearest `wanted` ones behind each other begin with; 0 where there are fewer
std::size_t nearest_start(std::span<const std::uint32_t> cycles, std::size_t wanted);

}  // namespace redtune::timing
