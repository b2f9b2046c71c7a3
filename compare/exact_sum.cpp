#include "compare/exact_sum.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>
#include <cstdint>

namespace redtune::compare {

namespace {

constexpr int fraction_bits = 52;
constexpr std::uint64_t hidden_bit = std::uint64_t{1} << fraction_bits;
// A significand with exponent field e counts units of 2^(e - unit_bias).
constexpr int unit_bias = 1075;
// The carry out of the last exponent fits into a 128-bit integer.
constexpr std::size_t carry_bits = 128;

}  // namespace

void ExactSum::add(double term) {
    const auto bits = std::bit_cast<std::uint64_t>(term);
    const std::uint64_t exponent = bits >> fraction_bits & 0x7ff;
    if (exponent == exponents) {
        not_finite_ += term;
        return;
    }
    const std::uint64_t fraction = bits & (hidden_bit - 1);
    const auto significand = static_cast<std::int64_t>(exponent == 0 ? fraction : fraction | hidden_bit);
    significands_[std::max<std::uint64_t>(exponent, 1)] += std::signbit(term) ? -significand : significand;
}

void ExactSum::add(const ExactSum& other) {
    for (std::size_t i = 0; i < exponents; ++i) significands_[i] += other.significands_[i];
    not_finite_ += other.not_finite_;
}

double ExactSum::value() const {
    if (not_finite_ != 0) return not_finite_;
    std::bitset<exponents + carry_bits> digits;
    // Writes the binary digits of `sign` times the sum to `digits`. Returns the carry beyond the last digit: -1 if the
    // number is negative, else 0.
    const auto propagate_carries = [&](int sign) {
        Integer carry = 0;
        for (std::size_t i = 0; i < digits.size(); ++i) {
            if (i < exponents) carry += sign * significands_[i];
            digits[i] = (carry & 1) != 0;
            carry >>= 1;
        }
        return carry;
    };
    const bool is_negative = propagate_carries(1) < 0;
    if (is_negative) propagate_carries(-1);
    if (digits.none()) return 0;
    std::size_t top = digits.size() - 1;
    while (!digits[top]) --top;
    // The leading 64 digits. The lowest of them is set if any digit below it is, so that the conversion rounds rightly.
    std::uint64_t leading = 0;
    for (std::size_t i = 0; i < 64; ++i)
        leading = leading << 1 | static_cast<std::uint64_t>(i <= top && digits[top - i]);
    if (top > 63 && (digits << (digits.size() - (top - 63))).any()) leading |= 1;
    const double magnitude = std::ldexp(static_cast<double>(leading), static_cast<int>(top) - 63 - unit_bias);
    return is_negative ? -magnitude : magnitude;
}

}  // namespace redtune::compare
