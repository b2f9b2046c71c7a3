#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"

namespace redtune {

/// How the rounding of floats depends on the order of combination. A check allows for it.
enum class Rounding : std::uint8_t {
    none,            ///< not at all: min, max, any, bits
    signed_terms,    ///< as in a sum of terms of both signs
    positive_terms,  ///< as in a sum of terms of one sign
    product,         ///< as in a product
};

/// The kind of value that device code combines.
enum class Combined : std::uint8_t {
    value,           ///< accumulators
    ordered_value,   ///< values that are compared only; 16-bit floats are combined as order keys, which are integers
    value_and_index  ///< pairs of a value and its index
};

/// The rule for the accumulator and output types that an operator can have for an input type. redtune/problem.h states
/// the defaults.
enum class TypeRule : std::uint8_t { arithmetic, mean, l2_norm, extreme, index, truth, bits };

/// An operator as the tuner knows it. Its device struct in kernels_src/ has the same name in CamelCase: sum_of_squares
/// is redtune::SumOfSquares.
struct Operator {
    std::string name;
    std::string summary;
    TypeRule types = TypeRule::arithmetic;
    Rounding rounding = Rounding::none;
    Combined combined = Combined::value;
    std::uint32_t arrays = 1;        ///< arrays that are read
    bool is_additive = false;        ///< accumulators are combined by addition
    bool divides_by_count = false;   ///< the result is the combined accumulator over the number of elements
    bool takes_square_root = false;  ///< the result is the square root of the combined accumulator
};

/// Returns the operators that redtune comes with.
std::span<const Operator> operators();

/// Returns null for a name that is not among them: a user's own operator.
const Operator* find_operator(std::string_view name) noexcept;

/// Returns how a problem's results round: not at all where the accumulator is an integer. A user's own operator counts
/// as a sum.
Rounding rounding_of(const Problem& problem) noexcept;

/// Returns whether the problem's accumulators are combined by addition, as those of sums and means are.
bool adds(const Problem& problem) noexcept;

bool is_float(Type type) noexcept;
bool is_signed(Type type) noexcept;

/// Returns the name of the operator's struct in device code.
std::string device_name_of_operator(std::string_view op);

/// Returns the problem that a check computes as its reference: the same, but accumulated in and returned as f64 where
/// the order of combination shows in the rounding.
Problem reference_problem(const Problem& problem);

}  // namespace redtune
