#include "compare/sum_error.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tuner/core/element.h"

namespace redtune::compare {
namespace {

constexpr double double_infinity = std::numeric_limits<double>::infinity();
const Problem sum_f32 = make_problem("sum", Type::f32);
const Problem sum_f64 = make_problem("sum", Type::f64);

template <class T>
ExactTerms terms_of(const Problem& problem, const std::vector<T>& first, const std::vector<T>& second = {}) {
    return exact_terms(problem, first.data(), second.data(), first.size());
}

TEST(ExactTerms, EveryTypeIsReadExactly) {
    for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
        const std::vector<double> values = {1.5, -0.0078125, type == Type::f16 ? 0x1p-24 : 0x1p-130, -double_infinity};
        std::vector<unsigned char> bytes;
        for (const double value : values) {
            const std::uint64_t bits = element_bits(type, value);
            const auto* begin = reinterpret_cast<const unsigned char*>(&bits);
            bytes.insert(bytes.end(), begin, begin + size_of(type));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_EQ(float_element(type, bytes.data(), i), values[i]) << to_string(type);
        }
    }
}

TEST(ExactTerms, TheTermsOfADotProductAreProducts) {
    const ExactTerms terms =
        terms_of<float>(make_problem("dot", Type::f32), {0x1p100F, 3, 0x1p-149F}, {0x1p100F, -0.5, 0x1p-149F});
    ExactSum rest = terms.sum;
    rest.add(-0x1p200);
    rest.add(1.5);
    EXPECT_EQ(rest.value(), 0x1p-298);
    EXPECT_EQ(terms.magnitudes.value(), 0x1p200);
}

TEST(ExactTerms, ManyElementsAreAddedInParts) {
    constexpr std::size_t n = 1'000'003;
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = (i % 2 == 0 ? 1.0F : -1.0F) * static_cast<float>(i);
    const ExactTerms terms = terms_of(sum_f32, values);
    EXPECT_EQ(terms.sum.value(), (n - 1) / 2);
    EXPECT_EQ(terms.magnitudes.value(), static_cast<double>(n) * (n - 1) / 2);
}

TEST(SumError, IsInUnitsOfTheAccumulatorTimesTheMagnitudes) {
    const ExactTerms terms = terms_of<float>(sum_f32, {3, -1});  // the unit is 2^-24 * 4
    EXPECT_EQ(sum_error(sum_f32, terms, 2), 0);
    EXPECT_EQ(sum_error(sum_f32, terms, 2 + 0x1p-22), 1);
    EXPECT_EQ(sum_error(sum_f32, terms, 2 - 0x1p-23), 0.5);
    EXPECT_EQ(sum_error(sum_f64, terms_of<double>(sum_f64, {3, -1}), 2 + 0x1p-51), 1);
    EXPECT_EQ(error_unit(make_problem("sum", Type::f16)), 0x1p-24) << "f16 is accumulated in f32";
}

TEST(SumError, IsExactWhereTheSumCancels) {
    // The sum, 2^-60, is lost when the terms are added as doubles.
    EXPECT_EQ(sum_error(sum_f64, terms_of<double>(sum_f64, {0.5, 0x1p-60, -0.5}), 0), 0x1p-7 / (1 + 0x1p-60));
}

TEST(SumError, TheUnitMayBeSmallerThanTheLeastDouble) {
    constexpr double least = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(sum_error(sum_f64, terms_of<double>(sum_f64, {least, least}), least), 0x1p52);
}

TEST(SumError, ZerosHaveNoErrorUnlessTheResultIsNotZero) {
    const ExactTerms zeros = terms_of<float>(sum_f32, {0, -0.0F});
    EXPECT_EQ(sum_error(sum_f32, zeros, 0), 0);
    EXPECT_EQ(sum_error(sum_f32, zeros, -0.0), 0);
    EXPECT_EQ(sum_error(sum_f32, zeros, 1e-40), double_infinity);
}

TEST(SumError, InfinitiesAndNanMustBeEqualInKind) {
    const float inf = std::numeric_limits<float>::infinity();
    const ExactTerms infinite = terms_of<float>(sum_f32, {1, inf});
    EXPECT_EQ(sum_error(sum_f32, infinite, double_infinity), 0);
    EXPECT_EQ(sum_error(sum_f32, infinite, -double_infinity), double_infinity);
    EXPECT_EQ(sum_error(sum_f32, infinite, std::nan("")), double_infinity);
    EXPECT_EQ(sum_error(sum_f32, infinite, 1), double_infinity);
    const ExactTerms not_a_number = terms_of<float>(sum_f32, {inf, -inf});
    EXPECT_EQ(sum_error(sum_f32, not_a_number, std::nan("")), 0);
    EXPECT_EQ(sum_error(sum_f32, not_a_number, double_infinity), double_infinity);
    EXPECT_EQ(sum_error(sum_f32, terms_of<float>(sum_f32, {1, 2}), double_infinity), double_infinity);
    EXPECT_EQ(sum_error(sum_f32, terms_of<float>(sum_f32, {1, 2}), std::nan("")), double_infinity);
}

TEST(SumError, ASumBeyondTheRangeOfTheOutputIsInfinite) {
    const ExactTerms large = terms_of<float>(sum_f32, {3e38F, 3e38F});
    EXPECT_EQ(sum_error(sum_f32, large, double_infinity), 0);
    EXPECT_EQ(sum_error(sum_f32, large, 3.4e38), double_infinity);
    // CUB's f16 result overflows at 65520, the f32 output of the problem does not.
    const Problem halves = make_problem("sum", Type::f16);
    const std::vector<std::uint16_t> values(4, half_bits(30000));
    EXPECT_EQ(sum_error(halves, terms_of(halves, values), double_infinity), double_infinity);
}

}  // namespace
}  // namespace redtune::compare
