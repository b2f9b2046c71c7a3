#include "compare/exact_sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace redtune::compare {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

ExactSum sum_of(const std::vector<double>& terms) {
    ExactSum sum;
    for (const double term : terms) sum.add(term);
    return sum;
}

/// Returns finite doubles of all exponents and both signs.
rc::Gen<std::vector<double>> finite_doubles() {
    const auto finite = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
        const auto value = std::bit_cast<double>(bits);
        return std::isfinite(value) ? value : 0;
    });
    return rc::gen::container<std::vector<double>>(finite);
}

RC_GTEST_PROP(ExactSum, EqualsASumOfIntegersOf128Bits, (const std::vector<std::int64_t>& integers)) {
    // Terms of k 2^-70 with at most 53 bits, times random powers of two, are integers in units of 2^-70.
    constexpr int scale = 70;
    __int128 expected = 0;
    ExactSum sum;
    for (const std::int64_t integer : integers) {
        const std::int64_t significand = integer >> 11;
        const int shift = static_cast<int>(integer & 0x1f);
        expected += static_cast<__int128>(significand) << shift;
        sum.add(std::ldexp(static_cast<double>(significand), shift - scale));
    }
    RC_ASSERT(sum.value() == std::ldexp(static_cast<double>(expected), -scale));
}

RC_GTEST_PROP(ExactSum, WhatCancelsLeavesNothingBehind, (double residue, std::uint32_t seed)) {
    RC_PRE(std::isfinite(residue));
    std::vector<double> terms = *finite_doubles();
    for (std::size_t i = terms.size(); i-- > 0;) terms.push_back(-terms[i]);
    terms.push_back(residue);
    std::shuffle(terms.begin(), terms.end(), std::mt19937(seed));
    RC_ASSERT(sum_of(terms).value() == residue);
}

RC_GTEST_PROP(ExactSum, DoesNotDependOnTheOrderOrOnTheParts, (std::uint32_t seed)) {
    std::vector<double> terms = *finite_doubles();
    const double sum = sum_of(terms).value();
    std::shuffle(terms.begin(), terms.end(), std::mt19937(seed));
    RC_ASSERT(sum_of(terms).value() == sum);
    const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2);
    ExactSum parts = sum_of({terms.begin(), middle});
    parts.add(sum_of({middle, terms.end()}));
    RC_ASSERT(parts.value() == sum);
}

RC_GTEST_PROP(ExactSum, TheSumOfTwoTermsIsRoundedAsTheHardwareRounds, (std::uint64_t first, std::uint64_t second)) {
    const auto a = std::bit_cast<double>(first);
    const auto b = std::bit_cast<double>(second);
    // Most sums of two random terms are just the larger term; those of terms with close exponents are not.
    int exponent = 0;
    const double significand = std::frexp(b, &exponent);
    const double near = std::isfinite(a) && std::isfinite(b) && a != 0 ? std::ldexp(significand, std::ilogb(a)) : b;
    for (const double other : {b, near}) {
        const double expected = a + other;
        const double sum = sum_of({a, other}).value();
        RC_ASSERT((std::isnan(expected) ? std::isnan(sum) : sum == expected));
    }
}

TEST(ExactSum, RoundsOnceToTheNearestWithTiesToEven) {
    const double half_step = 0x1p-53;  // half the distance from 1 to the next double
    EXPECT_EQ(sum_of({1, half_step}).value(), 1);
    EXPECT_EQ(sum_of({1, half_step, least}).value(), 1 + 2 * half_step);
    EXPECT_EQ(sum_of({1, half_step, -least}).value(), 1);
    EXPECT_EQ(sum_of({-1, -half_step, -least}).value(), -1 - 2 * half_step);
    EXPECT_EQ(sum_of({1 + 2 * half_step, half_step}).value(), 1 + 4 * half_step);
}

TEST(ExactSum, HasNoOverflowOnTheWayAndInfinityAtTheEnd) {
    EXPECT_EQ(sum_of({largest, largest, -largest}).value(), largest);
    EXPECT_EQ(sum_of({largest, largest}).value(), infinity);
    EXPECT_EQ(sum_of({-largest, -largest}).value(), -infinity);
    EXPECT_EQ(sum_of(std::vector<double>(100'000, largest / 65536)).value(), infinity);
}

TEST(ExactSum, AddsSubnormalNumbersExactly) {
    EXPECT_EQ(sum_of(std::vector<double>(1000, least)).value(), 1000 * least);
    EXPECT_EQ(sum_of({std::numeric_limits<double>::min(), -least}).value(), std::numeric_limits<double>::min() - least);
}

TEST(ExactSum, InfinitiesAndNanAreAddedAsIeeeSays) {
    EXPECT_EQ(sum_of({1, infinity, -largest}).value(), infinity);
    EXPECT_TRUE(std::isnan(sum_of({infinity, 1, -infinity}).value()));
    EXPECT_TRUE(std::isnan(sum_of({std::nan(""), 1}).value()));
    ExactSum merged = sum_of({1});
    merged.add(sum_of({-infinity}));
    EXPECT_EQ(merged.value(), -infinity);
}

TEST(ExactSum, NothingIsZero) {
    EXPECT_EQ(ExactSum().value(), 0);
    EXPECT_EQ(sum_of({-0.0, 3, -3}).value(), 0);
}

}  // namespace
}  // namespace redtune::compare
