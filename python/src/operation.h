#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "python/src/element_type.h"
#include "redtune/problem.h"

namespace redtune::python {

/// The rule for the result type of a function if the caller gives no dtype.
enum class ResultRule : std::uint8_t {
    same,   ///< the input's type: min, max, vdot
    sum,    ///< the input's type for floats, int64 for signed integers and bool, uint64 for unsigned integers
    real,   ///< the input's type for floats, else float64: mean, norm
    index,  ///< int64
    truth   ///< bool
};

/// A function of the package: an operator of the library with the array API's result type.
struct Operation {
    std::string_view name;  ///< the function's name in Python
    std::string_view op;    ///< the operator's name in the library
    ResultRule rule = ResultRule::same;
    bool has_identity = true;         ///< false: an array without elements has no result
    bool is_order_sensitive = false;  ///< the result depends on where the elements are in the array: argmin, argmax
};

/// Returns the problem of a whole array, without determinism, whose result is `dtype`, and sets `result` to the type
/// that the caller sees. It differs from the problem's output in bool and in the sign of integers only, which have the
/// same bits.
/// @param dtype the wanted result type; empty: the default of the operation
/// @throws InputError with the allowed types
Problem problem_of(const Operation& operation, ElementType input, std::optional<ElementType> dtype,
                   ElementType& result);

/// Returns whether the result for one element is this element, with the same bits.
bool returns_single_elements(const Operation& operation, ElementType input, ElementType result);

}  // namespace redtune::python
