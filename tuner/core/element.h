#pragma once

#include <cstdint>
#include <string>

#include "redtune/problem.h"

namespace redtune {

/// Returns the bits of the IEEE binary16 number nearest to `value`, ties to even.
std::uint16_t half_bits(float value) noexcept;
/// Returns the value of a binary16 number.
float half_value(std::uint16_t bits) noexcept;

/// Returns the bits of an element with the given value, in the low bytes of the word; the other bytes are zero. The
/// conversion is exact for small whole numbers, infinities and NaN; integer types wrap.
std::uint64_t element_bits(Type type, double value) noexcept;

/// Returns the value of an element as decimal text. `bits` are those that element_bits() returns.
std::string format_element(Type type, std::uint64_t bits);

}  // namespace redtune
