#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace redtune::search {

/// Returns sizes between each two neighbours of `sizes`, about `per_doubling` for each factor of 2, in ascending order.
/// The first of them is one element above the lower neighbour; the others are evenly spaced in log n. All are odd, so
/// that they are no whole number of tiles, like most sizes in real programs.
/// @param sizes in ascending order
/// @param unit the elements of a row of the array (Shape::unit()). If it is not 1, the sizes are whole rows, and "odd"
/// and "one element" refer to the number of rows
std::vector<std::uint64_t> sizes_between(const std::vector<std::uint64_t>& sizes, std::uint64_t unit,
                                         std::size_t per_doubling);

/// Returns an odd size (an odd number of rows of `unit` elements) near the geometric mean of two sizes; nullopt if no
/// such size lies between them.
std::optional<std::uint64_t> size_in_the_middle(std::uint64_t low, std::uint64_t high, std::uint64_t unit);

}  // namespace redtune::search
