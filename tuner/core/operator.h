#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"

namespace redtune {

/// How the order of combination shows in a result of floats, which is what a check must allow for.
enum class Rounding : std::uint8_t {
    none,            ///< not at all: min, max, any, bits
    signed_terms,    ///< a sum of terms of both signs
    positive_terms,  ///< a sum of terms of one sign
    product,         ///< a product
};

/// What the tuner knows of an operator besides its device struct in kernels_src/, which is called as the operator in
/// CamelCase: sum_of_squares is redtune::SumOfSquares.
struct Operator {
    std::string name;
    std::string summary;
    std::uint32_t arrays = 1;
    bool is_indexed = false;  ///< combines values with their indices
    Rounding rounding = Rounding::none;
};

/// The operators that redtune comes with.
std::span<const Operator> operators();

/// Null for a name that is not among them: a user's own.
const Operator* find_operator(std::string_view name) noexcept;

/// Rounding of a problem's results: none where everything is integer. A user's own operator counts as a sum.
Rounding rounding_of(const Problem& problem) noexcept;

/// Whether the problem's accumulators are combined by addition, as those of sums and means are.
bool adds(const Problem& problem) noexcept;

bool is_float(Type type) noexcept;
bool is_signed(Type type) noexcept;

/// Name of the struct in device code.
std::string device_name_of_operator(std::string_view op);

/// The problem that a check computes instead: floats accumulate and return f64 where rounding shows.
Problem reference_problem(const Problem& problem);

}  // namespace redtune
