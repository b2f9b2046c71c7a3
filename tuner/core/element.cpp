#include "tuner/core/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace redtune {

namespace {

constexpr int mantissa_bits = 10;
constexpr int least_exponent = -14;
constexpr std::uint16_t infinity_bits = 0x7c00;
constexpr std::uint16_t nan_bits = 0x7e00;

template <class Integer>
std::uint64_t wrapped(double value) {
    return static_cast<std::make_unsigned_t<Integer>>(static_cast<std::int64_t>(value));
}

}  // namespace

std::uint16_t half_bits(float value) noexcept {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    if (std::isnan(value)) return sign | nan_bits;
    const float size = std::abs(value);
    if (size >= 65520.0F) return sign | infinity_bits;
    // `units` is the magnitude in units in the last place. If it rounds up to 2^11, the sum below carries into the
    // exponent field, which gives the next power of two.
    const int exponent = size == 0 ? least_exponent : std::max(std::ilogb(size), least_exponent);
    const auto units = static_cast<int>(std::nearbyint(std::ldexp(size, mantissa_bits - exponent)));
    return static_cast<std::uint16_t>(sign | (((exponent - least_exponent) << mantissa_bits) + units));
}

float half_value(std::uint16_t bits) noexcept {
    const int exponent = (bits >> mantissa_bits) & 0x1f;
    const int mantissa = bits & 0x3ff;
    const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 0x1f) {
        return mantissa != 0 ? std::numeric_limits<float>::quiet_NaN() : sign * std::numeric_limits<float>::infinity();
    }
    const int units = exponent == 0 ? mantissa : mantissa + (1 << mantissa_bits);
    return sign * std::ldexp(static_cast<float>(units), std::max(exponent, 1) - 1 + least_exponent - mantissa_bits);
}

std::uint64_t element_bits(Type type, double value) noexcept {
    switch (type) {
        case Type::i8:
        case Type::u8:
            return wrapped<std::uint8_t>(value);
        case Type::i16:
        case Type::u16:
            return wrapped<std::uint16_t>(value);
        case Type::i32:
        case Type::u32:
            return wrapped<std::uint32_t>(value);
        case Type::i64:
        case Type::u64:
            return wrapped<std::uint64_t>(value);
        case Type::f16:
            return half_bits(static_cast<float>(value));
        case Type::bf16:
            return std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
        case Type::f32:
            return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        case Type::f64:
            return std::bit_cast<std::uint64_t>(value);
    }
    return 0;
}

std::string format_element(Type type, std::uint64_t bits) {
    switch (type) {
        case Type::i8:
            return fmt::format("{}", static_cast<int>(static_cast<std::int8_t>(bits)));
        case Type::i16:
            return fmt::format("{}", static_cast<std::int16_t>(bits));
        case Type::i32:
            return fmt::format("{}", static_cast<std::int32_t>(bits));
        case Type::i64:
            return fmt::format("{}", static_cast<std::int64_t>(bits));
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
            return fmt::format("{}", bits);
        case Type::f16:
            return fmt::format("{:.5g}", half_value(static_cast<std::uint16_t>(bits)));
        case Type::bf16:
            return fmt::format("{:.4g}", std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
        case Type::f32:
            return fmt::format("{:.9g}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        case Type::f64:
            return fmt::format("{:.17g}", std::bit_cast<double>(bits));
    }
    return "?";
}

}  // namespace redtune
