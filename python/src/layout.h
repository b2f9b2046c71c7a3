#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "redtune/problem.h"

namespace redtune::python {

/// The most dimensions of an array; NumPy and PyTorch have the same limit.
constexpr int max_dimensions = 64;

/// The dimensions of an array in memory.
struct Dimensions {
    std::span<const std::int64_t> shape;
    const std::int64_t* strides = nullptr;  ///< in elements; null: C order

    std::uint64_t count() const noexcept;
};

/// Why an array cannot be reduced without a copy.
enum class LayoutProblem : std::uint8_t {
    none,
    not_dense,        ///< elements of the memory between the first and the last element do not belong to the array
    interleaved,      ///< in memory, there are kept axes between reduced ones
    results_permuted  ///< in memory, the results (or for argmin and argmax the elements) have another order
};

/// Returns the extents in memory of a reduction over the axes whose bits are set in `axes`. Axes may lie in memory in
/// any order, as those of a transposed matrix do, if no copy is needed. On failure the result is {0, 0, 0} and
/// `problem` says why. inner > 1 only if reduced > 1: results of at most one element each are next to each other.
/// @param is_order_sensitive the reduced elements must lie in memory in the order of their indices
Extents extents_of(const Dimensions& array, std::uint64_t axes, bool is_order_sensitive, LayoutProblem& problem);

/// Returns whether the elements lie in memory in C order, without gaps.
bool is_c_order(const Dimensions& array) noexcept;

/// Returns what is wrong, for a message: "its elements do not lie in memory without gaps".
std::string_view describe(LayoutProblem problem) noexcept;

/// Returns the expressions that make the copy, for a message.
std::string_view copy_that_helps(LayoutProblem problem) noexcept;

}  // namespace redtune::python
