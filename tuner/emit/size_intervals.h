#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace redtune::emit {

/// Sizes that follow each other and use the same configuration. The first size follows the last one of the interval
/// before.
struct SizeInterval {
    std::uint64_t last_n = 0;
    std::size_t configuration = 0;  ///< index of the configuration

    friend bool operator==(const SizeInterval&, const SizeInterval&) = default;
};

/// The sizes that find_intervals() divides.
struct SizeRange {
    std::uint64_t least = 0;  ///< a multiple of `unit`
    std::uint64_t most = 0;   ///< a multiple of `unit`
    std::uint64_t unit = 1;   ///< the row length; 1 for a whole array
};

/// Returns the intervals of the range in which `configuration_at` is constant, in ascending order; the last one ends
/// with `range.most`. The function is called at the ends of the range, at `tuned` sizes and their neighbours, at
/// several sizes between these, and then at sizes found by bisection until every switch-over is exact. A configuration
/// that is used only between two of the several sizes, for less than 1/16 of the distance of two tuned sizes, can be
/// missed.
/// @param tuned the tuned sizes in ascending order, at which the configuration usually changes
std::vector<SizeInterval> find_intervals(const SizeRange& range, const std::vector<std::uint64_t>& tuned,
                                         const std::function<std::size_t(std::uint64_t)>& configuration_at);

}  // namespace redtune::emit
