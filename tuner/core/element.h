#pragma once

#include <cstdint>
#include <string>

#include "redtune/problem.h"

namespace redtune {

/// IEEE binary16 and back; rounds to nearest, ties to even.
std::uint16_t half_bits(float value) noexcept;
float half_value(std::uint16_t bits) noexcept;

/// A value as an element of a type, its bytes from the low end of the word on. Exact for small whole numbers,
/// infinities and NaN; integer types wrap.
std::uint64_t element_bits(Type type, double value) noexcept;

/// An element's bits as a number, for people.
std::string format_element(Type type, std::uint64_t bits);

}  // namespace redtune
