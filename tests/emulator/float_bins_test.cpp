// Tests the bins of floats, and the packed finish that adds partials to them, against sums in long double.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "emulator.h"
#include "stand_in/cuda_builtins.h"
// Device code must be included after cuda_builtins.h.
#include "kernels_src/packed_finish.cuh"

namespace {

using redtune::BinnedFloat;
using FloatSum = redtune::Problem<redtune::Sum<float, float, float>, float, float, float>;

using Limits = std::numeric_limits<float>;

/// Returns a generator of finite floats of any bits.
rc::Gen<float> finite_floats() {
    return rc::gen::suchThat(rc::gen::map(rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 32),
                                          [](std::uint64_t drawn) {
                                              const auto bits = static_cast<std::uint32_t>(drawn);
                                              float value = 0;
                                              std::memcpy(&value, &bits, sizeof(value));
                                              return value;
                                          }),
                             [](float value) { return std::isfinite(value); });
}

/// Returns a generator of finite floats whose exponents are in [least, least + range).
rc::Gen<float> floats(int least, int range) {
    const auto significand = rc::gen::inRange(-(1 << 24) + 1, 1 << 24);
    return rc::gen::map(rc::gen::pair(significand, rc::gen::inRange(least, least + range)),
                        [](const auto& pair) { return std::ldexp(static_cast<float>(pair.first), pair.second - 24); });
}

/// Runs the packed finish with one block for each partial, in the order that `seed` decides, and returns its result.
float packed_sum(const std::vector<float>& partials, std::uint64_t seed = 1) {
    emulator::Memory memory;
    float* result = memory.allocate<float>(1, emulator::Access::read_write);
    auto* header = memory.allocate<redtune::WorkspaceHeader>(1, emulator::Access::read_write);
    *header = {};
    redtune::Arguments<FloatSum> arguments{};
    arguments.output = result;
    arguments.header = header;
    arguments.count = partials.size();
    const auto kernel = [&] {
        redtune::finish_packed_floats<FloatSum>(arguments, threadIdx.x == 0 ? partials[blockIdx.x] : 0.0F);
    };
    const auto report = emulator::run(kernel, {.grid = static_cast<unsigned>(partials.size()), .block = 32}, memory,
                                      {.seed = seed, .blocks_in_flight = static_cast<unsigned>(partials.size())});
    EXPECT_THAT(report.defects, testing::IsEmpty());
    EXPECT_THAT(header->accumulators, testing::Each(0U)) << "zero between calls";
    return *result;
}

/// Fails unless the packed finish returns the sum with a few roundings to float: of each bin, of the sum of the bins
/// and of that with the first partial. Bins in use that are not neighbours have sums of very different sizes, whose
/// roundings do not add up.
void check_sum(const std::vector<float>& partials) {
    long double exact = 0;
    long double magnitude = 0;
    for (const float partial : partials) {
        exact += partial;
        magnitude += std::fabs(partial);
    }
    const float sum = packed_sum(partials, *rc::gen::arbitrary<std::uint64_t>());
    // The sum of a bin, or of all bins, may overflow even if the exact sum does not.
    if (std::fabs(exact) > 1.001L * Limits::max())
        RC_ASSERT(sum == std::copysign(Limits::infinity(), static_cast<float>(exact)));
    if (magnitude > Limits::max()) return;
    RC_ASSERT(std::fabs(sum - exact) <= magnitude * std::ldexp(1.0L, -22) + Limits::denorm_min());
}

RC_GTEST_PROP(FloatBins, AWordHoldsItsFloatExactly, ()) {
    const float value = *finite_floats();
    const BinnedFloat binned(value);
    RC_ASSERT(binned.bin < BinnedFloat::finite_bins);
    RC_ASSERT(redtune::summands_of(binned.word) == 1U);
    RC_ASSERT(redtune::sum_of_bin(binned.bin, binned.word) == value);
}

/// All summands have the most negative or the largest value of a bin, so that the word is as full as it can be.
TEST(FloatBins, AWordHasRoomForAllSummands) {
    for (redtune::u32 bin = 0; bin < BinnedFloat::finite_bins; ++bin) {
        const int exponent = std::min(static_cast<int>(BinnedFloat::exponents * (bin + 1)) - 1, 254);
        for (const float sign : {1.0F, -1.0F}) {
            const float value = sign * std::ldexp(static_cast<float>((1 << 24) - 1), exponent - 127 - 23);
            const BinnedFloat binned(value);
            ASSERT_EQ(binned.bin, bin) << value;
            const redtune::u64 word = binned.word * BinnedFloat::max_summands;
            EXPECT_EQ(redtune::summands_of(word), BinnedFloat::max_summands);
            EXPECT_EQ(redtune::sum_of_bin(bin, word), value * BinnedFloat::max_summands);
        }
    }
}

RC_GTEST_PROP(PackedFloats, AddPartialsOfLikeSize, ()) {
    const int least = *rc::gen::inRange(-140, 100);
    check_sum(*rc::gen::nonEmpty(rc::gen::container<std::vector<float>>(floats(least, *rc::gen::inRange(1, 25)))));
}

RC_GTEST_PROP(PackedFloats, AddPartialsOfAnySize, ()) {
    check_sum(*rc::gen::nonEmpty(rc::gen::container<std::vector<float>>(finite_floats())));
}

/// The first block's own partial is not in a bin.
TEST(PackedFloats, AddBinsAtBothEnds) {
    EXPECT_EQ(packed_sum({1.0F}), 1.0F);
    EXPECT_EQ(packed_sum({0.0F, Limits::denorm_min(), 3 * Limits::denorm_min()}), 4 * Limits::denorm_min());
    EXPECT_EQ(packed_sum({0.0F, 0x1p-120F, 0x1p-110F}), 0x1p-120F + 0x1p-110F) << "bins 0 and 1";
    EXPECT_EQ(packed_sum({1.0F, 0x1p112F, 0x1p113F, 0x1p126F}), 0x1p112F + 0x1p113F + 0x1p126F) << "bins 14 and 15";
    EXPECT_EQ(packed_sum({0.0F, 0x1p-120F, 0x1p120F}), 0x1p120F) << "bins 0 and 15";
}

TEST(PackedFloats, CancelExactly) {
    EXPECT_EQ(packed_sum({0x1p-3F, 0x1p60F, -0x1p60F}), 0x1p-3F);
    EXPECT_EQ(packed_sum({0.0F, 1e30F, Limits::denorm_min(), -1e30F}), Limits::denorm_min());
}

TEST(PackedFloats, FollowInfinitiesAndNaN) {
    constexpr float infinity = Limits::infinity();
    EXPECT_EQ(packed_sum({1.0F, infinity, 2.0F}), infinity);
    EXPECT_EQ(packed_sum({infinity, infinity, -1.0F}), infinity);
    EXPECT_EQ(packed_sum({-infinity, 0x1p-100F}), -infinity);
    EXPECT_TRUE(std::isnan(packed_sum({-infinity, 1.0F, infinity})));
    EXPECT_TRUE(std::isnan(packed_sum({1.0F, Limits::quiet_NaN(), 2.0F})));
    EXPECT_TRUE(std::isnan(packed_sum({Limits::quiet_NaN(), infinity})));
}

TEST(PackedFloats, OverflowToInfinity) {
    EXPECT_EQ(packed_sum({Limits::max(), Limits::max()}), Limits::infinity());
    EXPECT_EQ(packed_sum({Limits::max(), Limits::max(), Limits::lowest()}), Limits::max());
}

}  // namespace
