// Tests the values that inputs are filled with, and the sums of their terms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "emulator.h"
#include "stand_in/cuda_builtins.h"
// Device code must be included after cuda_builtins.h.
#include "kernels_src/data_kinds.cuh"
#include "kernels_src/reference.cuh"

namespace {

using redtune::BFloat16;
using redtune::DataKind;
using redtune::Half;
using redtune::InputLayout;
using redtune::Terms;

constexpr std::uint64_t seed = 1;

template <class T>
constexpr bool is_half = std::is_same_v<T, Half>;

constexpr int kinds = static_cast<int>(DataKind::zeros) + 1;

/// Fills n elements with the kernel, in a grid of this many blocks.
template <class T, Terms terms = Terms::values>
std::vector<T> fill(DataKind kind, std::size_t n, const InputLayout& layout, unsigned grid = 2) {
    emulator::Memory memory;
    T* to = memory.allocate<T>(n, emulator::Access::uninitialised);
    const auto report = emulator::run([&] { redtune::fill_data<T, terms>(to, n, layout, kind, seed); },
                                      {.grid = grid, .block = 64}, memory);
    EXPECT_TRUE(report.defects.empty());
    EXPECT_TRUE(memory.initialised(to, n * sizeof(T)));
    return {to, to + n};
}

/// Fills one input of n elements.
template <class T, Terms terms = Terms::values>
std::vector<T> fill_one(DataKind kind, std::size_t n) {
    return fill<T, terms>(kind, n, {n, 0, n, 0});
}

TEST(UniformValues, AreThoseOfEarlierVersions) {
    using redtune::make_element;
    using redtune::Values;
    const auto unit = [](std::uint64_t index) {
        std::uint64_t x = (index ^ (seed << 48)) + 0x9e3779b97f4a7c15ULL;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<std::int32_t>((x ^ (x >> 31)) >> 32) / 2147483648.0;
    };
    for (std::uint64_t i = 0; i < 1000; ++i) {
        ASSERT_EQ((make_element<double, Values::random>(i, seed)), unit(i));
        ASSERT_EQ((make_element<float, Values::random>(i, seed)), static_cast<float>(unit(i)));
    }
}

TEST(ExactValues, OfUnsignedIntegersThatAreAddedAsFloatsAreSmall) {
    std::set<unsigned> values;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        values.insert(redtune::make_element<std::uint16_t, redtune::Values::small>(i, seed));
    }
    EXPECT_EQ(values.size(), 17U);
    EXPECT_EQ(*values.rbegin(), 16U);
}

TEST(ExactValues, OfIntegersThatAreMultipliedAsFloatsHaveAnExactProduct) {
    constexpr auto factors = redtune::Values::exact_factors;
    int negative = 0;
    double product = 1;
    for (std::uint64_t i = 0; i < std::uint64_t{1} << 22; ++i) {
        const int factor = redtune::make_element<int, factors>(i, seed);
        ASSERT_EQ(factor * factor, 1);
        negative += factor < 0;
        product *= redtune::make_element<std::uint32_t, factors>(i, seed);
    }
    EXPECT_NEAR(negative, 1 << 21, 1 << 13);
    int exponent = 0;
    EXPECT_EQ(std::frexp(product, &exponent), 0.5) << "a power of 2";
    // On average 48 (ln(n / 48) + 0.58) factors are 2: 575 here, and 907 of 2^32 elements.
    EXPECT_NEAR(exponent, 575, 100);
}

TEST(DataKinds, DoNotDependOnTheGrid) {
    for (int kind = 1; kind < kinds; ++kind) {
        const InputLayout layout{300, 3, 96, 0};
        const auto small = fill<float>(static_cast<DataKind>(kind), 1000, layout, 1);
        const auto large = fill<float>(static_cast<DataKind>(kind), 1000, layout, 5);
        EXPECT_EQ(std::memcmp(small.data(), large.data(), 1000 * sizeof(float)), 0) << kind;
    }
}

template <class T>
class DataKindsOf : public testing::Test {};
using FloatTypes = testing::Types<Half, BFloat16, float, double>;
TYPED_TEST_SUITE(DataKindsOf, FloatTypes);

TYPED_TEST(DataKindsOf, AreFinite) {
    for (int kind = 1; kind < kinds; ++kind) {
        for (const TypeParam value : fill_one<TypeParam>(static_cast<DataKind>(kind), 3000)) {
            ASSERT_TRUE(std::isfinite(static_cast<double>(value))) << kind;
        }
        for (const TypeParam value : fill_one<TypeParam, Terms::products>(static_cast<DataKind>(kind), 3000)) {
            const double x = value;
            ASSERT_LT(x * x, sizeof(TypeParam) == 8 ? 1e300 : 1e32) << kind;
        }
    }
}

TYPED_TEST(DataKindsOf, EveryInputHasItsOutlierOnce) {
    // Inputs of two rows, off alignment.
    const InputLayout layout{256, 3, 100, 0};
    const auto values = fill<TypeParam>(DataKind::outlier, 10 * 256, layout);
    std::vector<std::size_t> places;
    for (std::size_t row = 0; row < 20; ++row) {
        const auto* first = values.data() + row / 2 * 256 + 3 + row % 2 * 100;
        const auto is_large = [](TypeParam value) { return value > 9000; };
        EXPECT_EQ(std::count_if(first, first + 100, is_large), 1) << row;
        places.push_back(std::find_if(first, first + 100, is_large) - first);
    }
    std::sort(places.begin(), places.end());
    EXPECT_NE(places.front(), places.back()) << "not always at the same place";
}

TYPED_TEST(DataKindsOf, SubnormalsAreSubnormal) {
    int positive = 0;
    for (const TypeParam value : fill_one<TypeParam>(DataKind::subnormal, 2000)) {
        const double size = std::fabs(static_cast<double>(value));
        ASSERT_GT(size, 0);
        ASSERT_LT(size, sizeof(TypeParam) == 8 ? 0x1p-1022 : is_half<TypeParam> ? 0x1p-14 : 0x1p-126);
        positive += value > 0;
    }
    EXPECT_NEAR(positive, 1000, 150);
}

TYPED_TEST(DataKindsOf, WideExponentsSpanMostOfTheRange) {
    double least = 1, largest = 1;
    for (const TypeParam value : fill_one<TypeParam>(DataKind::wide_exponents, 3000)) {
        least = std::min(least, std::fabs(static_cast<double>(value)));
        largest = std::max(largest, std::fabs(static_cast<double>(value)));
    }
    const double octaves = std::log2(largest) - std::log2(least);
    EXPECT_GT(octaves, sizeof(TypeParam) == 8 ? 1400 : is_half<TypeParam> ? 25 : 200);
}

TEST(DataKinds, SortedDataAreSorted) {
    const auto up = fill_one<float>(DataKind::ascending, 777);
    EXPECT_TRUE(std::is_sorted(up.begin(), up.end()));
    EXPECT_EQ(up.front(), -1);
    const auto down = fill_one<redtune::i8>(DataKind::descending, 777);
    EXPECT_TRUE(std::is_sorted(down.rbegin(), down.rend()));
    EXPECT_EQ(down.front(), 127);
    const auto words = fill_one<redtune::u64>(DataKind::ascending, 777);
    EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
    EXPECT_EQ(words.front(), 0U);
}

TEST(DataKinds, CancelAndSumUpAsTheirNamesSay) {
    const auto sum = [](const std::vector<float>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    EXPECT_LT(std::fabs(sum(fill_one<float>(DataKind::cancelling, 5000))), 5);
    EXPECT_NEAR(sum(fill_one<float>(DataKind::probabilities, 20000)), 1, 0.1);
    EXPECT_NEAR(sum(fill_one<float>(DataKind::counts, 20000)) / 20000, 1, 0.1);
    EXPECT_NEAR(sum(fill_one<float>(DataKind::normal, 20000)) / 20000, 0, 0.05);
    const auto sparse = fill_one<float>(DataKind::sparse, 20000);
    EXPECT_NEAR(std::count(sparse.begin(), sparse.end(), 0.0F), 19800, 60);
    const auto signs = fill_one<redtune::i32>(DataKind::alternating, 100);
    for (std::size_t i = 0; i < signs.size(); ++i) ASSERT_EQ(signs[i] > 0, i % 2 == 0);
    const auto gradients = fill_one<float>(DataKind::gradients, 20000);
    EXPECT_LT(std::fabs(sum(gradients)), 0.2);
    EXPECT_GT(*std::max_element(gradients.begin(), gradients.end()), 1e-3F) << "heavy tails";
}

TEST(DataKinds, TheProductsOfCancellingPairsCancel) {
    const std::size_t n = 1000;
    const auto values = fill<double, Terms::products>(DataKind::cancelling, 2 * n, {2 * n, 0, n, n});
    double dot = 0;
    for (std::size_t i = 0; i < n; ++i) dot += values[i] * values[n + i];
    EXPECT_LT(std::fabs(dot), 2);
}

TEST(FillValues, RepeatsThemFromEachInputOn) {
    emulator::Memory memory;
    float* given = memory.allocate<float>(3, emulator::Access::read_only);
    for (int i = 0; i < 3; ++i) given[i] = static_cast<float>(i + 1);
    float* to = memory.allocate<float>(20, emulator::Access::uninitialised);
    const InputLayout layout{10, 2, 8, 0};
    emulator::run([&] { redtune::fill_values<float>(to, 20, layout, given, 3); }, {.grid = 1, .block = 32}, memory);
    EXPECT_EQ(std::vector<float>(to + 2, to + 10), (std::vector<float>{1, 2, 3, 1, 2, 3, 1, 2}));
    EXPECT_EQ(std::vector<float>(to + 12, to + 20), (std::vector<float>{1, 2, 3, 1, 2, 3, 1, 2}));
}

TEST(SumTerms, AddsMagnitudesAndSquaresOfEachRow) {
    using P = redtune::Problem<redtune::Sum<float, double, double>, float, double, double>;
    constexpr std::size_t rows = 3, length = 700;
    emulator::Memory memory;
    float* input = memory.allocate<float>(2 * 2200, emulator::Access::read_only);
    for (std::size_t i = 0; i < 2 * 2200; ++i) input[i] = static_cast<float>(i % 7) - 3;
    auto* sums = memory.allocate<redtune::TermSums>(2 * rows, emulator::Access::read_write);
    for (const std::uint64_t parts : {1, 256, 600}) {  // one block for each row, or several
        SCOPED_TRACE(parts);
        std::fill_n(sums, 2 * rows, redtune::TermSums{0, 0});
        const redtune::ReferenceJob<P> job{input, nullptr, 2200, 2, rows, length, 1, parts, nullptr, nullptr};
        const auto report = emulator::run([&] { redtune::sum_terms<P>(job, sums); }, {.grid = 4, .block = 256}, memory);
        EXPECT_TRUE(report.defects.empty());
        for (std::size_t row = 0; row < 2 * rows; ++row) {
            double magnitudes = 0, squares = 0;
            for (std::size_t i = 0; i < length; ++i) {
                const double x = input[row / rows * 2200 + row % rows * length + i];
                magnitudes += std::fabs(x);
                squares += x * x;
            }
            EXPECT_EQ(sums[row].magnitudes, magnitudes);
            EXPECT_EQ(sums[row].squares, squares);
        }
    }
}

}  // namespace
