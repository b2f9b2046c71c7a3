#include "tuner/core/element.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace redtune {
namespace {

constexpr std::uint16_t infinity = 0x7c00;
constexpr float infinite = std::numeric_limits<float>::infinity();

bool is_nan(std::uint16_t half) {
    return (half & 0x7fff) > infinity;
}

TEST(Half, AllValuesExceptNanRoundTrip) {
    for (int i = 0; i < 65536; ++i) {
        const auto half = static_cast<std::uint16_t>(i);
        const float value = half_value(half);
        EXPECT_EQ(std::isnan(value), is_nan(half)) << i;
        if (is_nan(half)) {
            EXPECT_TRUE(is_nan(half_bits(value))) << i;
        } else {
            EXPECT_EQ(half_bits(value), half) << i;
        }
    }
}

TEST(Half, DecodesIeeeBinary16) {
    EXPECT_EQ(half_value(0x0000), 0.0F);
    EXPECT_TRUE(std::signbit(half_value(0x8000)));
    EXPECT_EQ(half_value(0x0001), 0x1p-24F);  // the smallest denormal
    EXPECT_EQ(half_value(0x03ff), 0x3ffp-24F);
    EXPECT_EQ(half_value(0x0400), 0x1p-14F);  // the smallest normal
    EXPECT_EQ(half_value(0x3c00), 1.0F);
    EXPECT_EQ(half_value(0x3555), 0x1.554p-2F);
    EXPECT_EQ(half_value(0xc000), -2.0F);
    EXPECT_EQ(half_value(0x7bff), 65504.0F);
    EXPECT_EQ(half_value(0x7c00), infinite);
    EXPECT_EQ(half_value(0xfc00), -infinite);
}

// For each pair of neighbouring halves, checks the midpoint (rounds to the half whose last bit is 0) and the floats
// just below and above the midpoint (round down and up).
TEST(Half, RoundsToNearestTiesToEven) {
    for (int i = 0; i < infinity; ++i) {
        const auto low = static_cast<std::uint16_t>(i);
        const auto high = static_cast<std::uint16_t>(i + 1);
        // The successor of 65504, the largest half, would be 65536; values from the midpoint on round to infinity.
        const float above = high == infinity ? 65536.0F : half_value(high);
        const float middle = (half_value(low) + above) / 2;  // exact in float
        EXPECT_EQ(half_bits(middle), low % 2 == 0 ? low : high) << i;
        EXPECT_EQ(half_bits(std::nextafter(middle, 0.0F)), low) << i;
        EXPECT_EQ(half_bits(std::nextafter(middle, infinite)), high) << i;
        EXPECT_EQ(half_bits(-middle), (low % 2 == 0 ? low : high) | 0x8000) << i;
    }
}

TEST(Half, OverflowsToInfinityAndUnderflowsToZero) {
    EXPECT_EQ(half_bits(65519.996F), 0x7bff);
    for (const float value : {65520.0F, 65536.0F, 1e30F, std::numeric_limits<float>::max(), infinite}) {
        EXPECT_EQ(half_bits(value), infinity) << value;
        EXPECT_EQ(half_bits(-value), 0x8000 | infinity) << value;
    }
    EXPECT_EQ(half_bits(0x1p-25F), 0);  // a tie between 0 and the smallest denormal
    EXPECT_EQ(half_bits(0x1.000002p-25F), 1);
    EXPECT_EQ(half_bits(std::numeric_limits<float>::denorm_min()), 0);
    EXPECT_EQ(half_bits(-std::numeric_limits<float>::denorm_min()), 0x8000);
    EXPECT_TRUE(is_nan(half_bits(std::numeric_limits<float>::quiet_NaN())));
}

#ifdef __FLT16_MAX__
RC_GTEST_PROP(Half, AgreesWithTheCompilersFloat16, (std::uint32_t bits)) {
    __extension__ using CompilersHalf = _Float16;
    auto value = std::bit_cast<float>(bits);
    // Most random floats are far outside the range of halves, so half of them are scaled into it.
    if (*rc::gen::arbitrary<bool>()) value = std::ldexp(1 + std::fmod(value, 1.0F), *rc::gen::inRange(-26, 17));
    if (!std::isnan(value))
        RC_ASSERT(half_bits(value) == std::bit_cast<std::uint16_t>(static_cast<CompilersHalf>(value)));
    const auto half = static_cast<std::uint16_t>(bits);
    if (!is_nan(half)) RC_ASSERT(half_value(half) == static_cast<float>(std::bit_cast<CompilersHalf>(half)));
}
#endif

TEST(Element, SmallWholeNumbersRoundTripInEveryType) {
    for (const std::string& name : type_names()) {
        const Type type = parse_type(name);
        for (int i = 0; i <= 100; ++i) {
            EXPECT_EQ(format_element(type, element_bits(type, i)), std::to_string(i)) << name;
        }
    }
    for (const char* name : {"i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"}) {
        const Type type = parse_type(name);
        EXPECT_EQ(format_element(type, element_bits(type, -3)), "-3") << name;
    }
}

TEST(Element, UnusedHighBytesAreZero) {
    for (const std::string& name : type_names()) {
        const Type type = parse_type(name);
        for (const double value : {-1.0, 1.0, 77.0}) {
            const std::uint64_t bits = element_bits(type, value);
            const std::uint64_t above = size_of(type) == 8 ? 0 : bits >> (8 * size_of(type));
            EXPECT_EQ(above, 0U) << name << " " << value;
        }
    }
}

TEST(Element, IntegersWrap) {
    EXPECT_EQ(element_bits(Type::u8, -1), 0xffU);
    EXPECT_EQ(element_bits(Type::i8, 200), 200U);
    EXPECT_EQ(format_element(Type::i8, element_bits(Type::i8, 200)), "-56");
    EXPECT_EQ(element_bits(Type::u16, 65537), 1U);
    EXPECT_EQ(element_bits(Type::u32, -2), 0xfffffffeU);
    EXPECT_EQ(element_bits(Type::u64, -1), ~std::uint64_t{0});
}

TEST(Element, FloatsHaveTheBitsOfTheirFormat) {
    EXPECT_EQ(element_bits(Type::f16, 1), 0x3c00U);
    EXPECT_EQ(element_bits(Type::bf16, 1), 0x3f80U);
    EXPECT_EQ(element_bits(Type::bf16, -2), 0xc000U);
    EXPECT_EQ(element_bits(Type::f32, 1), 0x3f800000U);
    EXPECT_EQ(element_bits(Type::f64, 1), 0x3ff0000000000000U);
    for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
        EXPECT_EQ(format_element(type, element_bits(type, std::numeric_limits<double>::infinity())), "inf");
        EXPECT_EQ(format_element(type, element_bits(type, -std::numeric_limits<double>::infinity())), "-inf");
        EXPECT_EQ(format_element(type, element_bits(type, std::nan(""))), "nan");
        EXPECT_EQ(format_element(type, element_bits(type, 0.5)), "0.5");
    }
}

TEST(Element, PrintsNeighbouringValuesDifferently) {
    EXPECT_NE(format_element(Type::f16, 0x3c00), format_element(Type::f16, 0x3c01));
    EXPECT_NE(format_element(Type::bf16, 0x3f80), format_element(Type::bf16, 0x3f81));
    EXPECT_NE(format_element(Type::f32, 0x3f800000), format_element(Type::f32, 0x3f800001));
    EXPECT_NE(format_element(Type::f64, 0x3ff0000000000000), format_element(Type::f64, 0x3ff0000000000001));
    EXPECT_EQ(format_element(Type::u64, ~std::uint64_t{0}), "18446744073709551615");
    EXPECT_EQ(format_element(Type::i64, ~std::uint64_t{0}), "-1");
    EXPECT_EQ(format_element(Type::u8, 200), "200");
}

}  // namespace
}  // namespace redtune
