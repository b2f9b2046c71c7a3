#pragma once

#include <cstdint>
#include <string>

#include "redtune/problem.h"

namespace redtune {

/// Convert to IEEE binary16 and back, rounding to nearest, ties to even.
std::uint16_t half_bits(float value) noexcept;
float half_value(std::uint16_t bits) noexcept;

/// Returns the bytes of an element with the given value, in the low bytes of the word. The conversion is exact for
/// small whole numbers, infinities and NaN; integer types wrap.
std::uint64_t element_bits(Type type, double value) noexcept;

/// Returns an element's value as decimal text.
std::string format_element(Type type, std::uint64_t bits);

}  // namespace redtune
