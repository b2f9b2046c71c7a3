#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"

namespace redtune {

/// The kind of rounding error by which two orders of combination may differ in a float result. The tolerance of result
/// checks depends on it (tuner/timing/tolerance.h).
enum class Rounding : std::uint8_t {
    none,            ///< no error, every order gives the same result: min, max, any, bitwise operators
    signed_terms,    ///< the error of a sum whose terms have both signs and may cancel
    positive_terms,  ///< the error of a sum whose terms have one sign
    product,         ///< the error of a product, in which every multiplication rounds
};

/// The kind of value that device code combines.
enum class Combined : std::uint8_t {
    value,           ///< a plain accumulator
    ordered_value,   ///< a value that is only compared; 16-bit floats are compared as integer keys of the same order
    value_and_index  ///< a pair of a value and its index
};

/// The rule that decides which accumulator and output types an operator can have for an input type. redtune/problem.h
/// states the defaults.
enum class TypeRule : std::uint8_t { arithmetic, mean, l2_norm, extreme, index, truth, bits };

/// The tuner's description of an operator. The operator's device struct in kernels_src/ has the same name in CamelCase:
/// sum_of_squares is redtune::SumOfSquares.
struct Operator {
    std::string name;
    std::string summary;
    TypeRule types = TypeRule::arithmetic;
    Rounding rounding = Rounding::none;
    Combined combined = Combined::value;
    std::uint32_t arrays = 1;        ///< number of arrays that the operator reads
    bool is_additive = false;        ///< combine() is addition
    bool divides_by_count = false;   ///< the result is the combined accumulator divided by the number of elements
    bool takes_square_root = false;  ///< the result is the square root of the combined accumulator
};

/// Returns the built-in operators.
std::span<const Operator> operators();

/// Returns the operator with this name; null if it is not one of operators(), as for a user-defined operator.
const Operator* find_operator(std::string_view name) noexcept;

/// Returns how the order of combination changes a problem's results: Rounding::none if the accumulator is an integer. A
/// user-defined operator counts as a sum.
Rounding rounding_of(const Problem& problem) noexcept;

/// Returns whether the problem's accumulators are combined by addition, as for sums, means and norms.
bool adds(const Problem& problem) noexcept;

bool is_float(Type type) noexcept;
bool is_signed(Type type) noexcept;

/// Returns the name of the operator's struct in device code.
std::string device_name_of_operator(std::string_view op);

/// Returns the problem that is computed as the reference for a check: the same problem, but with f64 as accumulator and
/// output type if the order of combination changes the rounding.
Problem reference_problem(const Problem& problem);

}  // namespace redtune
