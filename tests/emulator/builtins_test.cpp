// Tests the emulator's built-in functions against simple models written from the CUDA programming guide.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <limits>

#include "emulator.h"
#include "stand_in/cuda_builtins.h"
// Device code must be included after cuda_builtins.h.
#include "tests/emulator/kernels/builtins.cuh"

namespace {

using testing::IsEmpty;

constexpr unsigned full = 0xffffffffu;

template <class T>
struct WarpRun {
    emulator::Memory memory;
    T* in = memory.allocate<T>(32, emulator::Access::read_only);
    T* out = memory.allocate<T>(32, emulator::Access::read_write);

    template <class Kernel>
    void run(Kernel kernel) {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const auto report = emulator::run([&] { kernel(in, out); }, {.grid = 1, .block = 32}, memory, {.seed = seed});
        RC_ASSERT(report.defects.empty());
    }
    void randomise() {
        for (int i = 0; i < 32; ++i) in[i] = *rc::gen::arbitrary<T>();
    }
};

// Returns the lane that shfl.sync reads, computed as in the pseudocode of the PTX manual, whose operand c holds the
// segment mask and the clamp.
int shuffle_model(builtins::Shuffle kind, int lane, int argument, int width) {
    const int segment = (32 - width) & 31;
    const int clamp = kind == builtins::Shuffle::up ? 0 : 31;
    const int max_lane = (lane & segment) | (clamp & ~segment);
    const int min_lane = lane & segment;
    const int b = argument & 31;
    switch (kind) {
        case builtins::Shuffle::up:
            return lane - b >= max_lane ? lane - b : lane;
        case builtins::Shuffle::down:
            return lane + b <= max_lane ? lane + b : lane;
        case builtins::Shuffle::butterfly:
            return (lane ^ b) <= max_lane ? lane ^ b : lane;
        default:
            return min_lane | (b & ~segment & 31);
    }
}

template <class T>
void check_shuffles() {
    WarpRun<T> warp;
    warp.randomise();
    const int width = 1 << *rc::gen::inRange(0, 6);
    const int argument = *rc::gen::inRange(0, 40);
    const auto kind = builtins::Shuffle(*rc::gen::inRange(0, 4));
    warp.run([&](const T* in, T* out) { builtins::shuffle(in, out, kind, argument, width); });
    for (int lane = 0; lane < 32; ++lane) {
        RC_ASSERT(warp.out[lane] == warp.in[shuffle_model(kind, lane, argument, width)]);
    }
}

RC_GTEST_PROP(Builtins, ShufflesOfFourBytes, ()) {
    check_shuffles<int>();
    check_shuffles<unsigned>();
    check_shuffles<float>();
}
RC_GTEST_PROP(Builtins, ShufflesOfEightBytes, ()) {
    check_shuffles<long long>();
    check_shuffles<unsigned long long>();
    check_shuffles<double>();
}

RC_GTEST_PROP(Builtins, Votes, ()) {
    WarpRun<int> warp;
    unsigned mask = 0;
    unsigned set = 0;
    for (int i = 0; i < 32; ++i) {
        warp.in[i] = *rc::gen::inRange(0, 4);  // bit 0: the lane is in the mask; bit 1: its vote
        mask |= unsigned(warp.in[i] & 1) << i;
        set |= unsigned(warp.in[i] >> 1 & warp.in[i] & 1) << i;
    }
    warp.run([&](const int* in, int* out) { builtins::vote(in, out, mask); });
    for (int i = 0; i < 32; ++i) {
        if ((mask >> i & 1u) == 0) continue;
        RC_ASSERT(unsigned(warp.out[i]) == ((set << 2) | unsigned(set != 0) << 1 | unsigned(set == mask)));
    }
}

RC_GTEST_PROP(Builtins, Reductions, ()) {
    WarpRun<int> warp;
    warp.randomise();
    warp.run([](const int* in, int* out) { builtins::reduce(in, out); });
    unsigned sum = 0;
    unsigned all_bits = full;
    unsigned any_bit = 0;
    unsigned odd_bits = 0;
    int low = std::numeric_limits<int>::max();
    int high = std::numeric_limits<int>::min();
    unsigned low_unsigned = full;
    unsigned high_unsigned = 0;
    for (int i = 0; i < 32; ++i) {
        const auto bits = unsigned(warp.in[i]);
        sum += bits;
        all_bits &= bits;
        any_bit |= bits;
        odd_bits ^= bits;
        low = std::min(low, warp.in[i]);
        high = std::max(high, warp.in[i]);
        low_unsigned = std::min(low_unsigned, bits);
        high_unsigned = std::max(high_unsigned, bits);
    }
    const std::vector<unsigned> expected = {sum,           unsigned(low), unsigned(high), sum,     low_unsigned,
                                            high_unsigned, all_bits,      any_bit,        odd_bits};
    for (std::size_t i = 0; i < expected.size(); ++i) RC_ASSERT(unsigned(warp.out[i]) == expected[i]);
}

RC_GTEST_PROP(Builtins, BlockVotes, ()) {
    emulator::Memory memory;
    const auto threads = *rc::gen::inRange(1u, 257u);
    int* in = memory.allocate<int>(threads, emulator::Access::read_only);
    int* out = memory.allocate<int>(3 * threads, emulator::Access::uninitialised);
    int count = 0;
    for (unsigned i = 0; i < threads; ++i) count += in[i] = *rc::gen::inRange(0, 2);
    const auto report = emulator::run([&] { builtins::block_vote(in, out); }, {.grid = 1, .block = threads}, memory,
                                      {.seed = *rc::gen::arbitrary<std::uint64_t>()});
    RC_ASSERT(report.defects.empty());
    for (unsigned i = 0; i < threads; ++i) {
        RC_ASSERT(out[3 * i] == (count > 0));
        RC_ASSERT(out[3 * i + 1] == (count == int(threads)));
        RC_ASSERT(out[3 * i + 2] == count);
    }
}

// Checks the results and the final value of a sequence of atomic operations by one thread.
template <class T>
void check_integer_atomics() {
    emulator::Memory memory;
    T* word = memory.allocate<T>(1, emulator::Access::read_write);
    T* old = memory.allocate<T>(7, emulator::Access::uninitialised);
    const T start = *rc::gen::arbitrary<T>();
    const T value = *rc::gen::arbitrary<T>();
    *word = start;
    const auto report = emulator::run([&] { builtins::atomics(word, old, value); }, {.grid = 1, .block = 1}, memory);
    RC_ASSERT(report.defects.empty());
    T now = start;
    const auto step = [&](int i, T next) {
        RC_ASSERT(old[i] == now);
        now = next;
    };
    step(0, std::min(now, value));
    step(1, std::max(T(now), T(value / 2)));
    step(2, T(now & value));
    step(3, T(now | T(5)));
    step(4, T(now ^ value));
    step(5, now);  // the comparison fails
    step(6, value);
    RC_ASSERT(*word == now);
}

RC_GTEST_PROP(Builtins, IntegerAtomics, ()) {
    check_integer_atomics<int>();
    check_integer_atomics<unsigned>();
    check_integer_atomics<unsigned long long>();
}

TEST(Builtins, AtomicSumsOfManyThreads) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        emulator::Memory memory;
        auto* sums = memory.allocate<builtins::Sums>(1, emulator::Access::read_write);
        const auto report = emulator::run([&] { builtins::atomic_sums(sums); },
                                          {.grid = 4, .block = 64, .all_resident = true}, memory, {.seed = seed});
        EXPECT_THAT(report.defects, IsEmpty());
        EXPECT_EQ(sums->of_int, 256);
        EXPECT_EQ(sums->of_unsigned, 256u);
        EXPECT_EQ(sums->of_u64, 256u);
        EXPECT_EQ(sums->of_float, 256.0f);
        EXPECT_EQ(sums->of_double, 256.0);
        EXPECT_EQ(sums->wrapping, 256u % 10u);
        EXPECT_EQ(sums->wraps, 25u);
        EXPECT_EQ(sums->shared, 4u * (63u * 64u / 2u));
        EXPECT_EQ(sums->locked, 8);
    }
}

RC_GTEST_PROP(Builtins, BitFunctions, (unsigned x)) {
    RC_ASSERT(__popc(x) == std::popcount(x));
    RC_ASSERT(__clz(int(x)) == std::countl_zero(x));
    RC_ASSERT(__ffs(int(x)) == (x == 0 ? 0 : std::countr_zero(x) + 1));
    RC_ASSERT(__brev(__brev(x)) == x);
    RC_ASSERT(std::countl_zero(__brev(x)) == std::countr_zero(x));
    RC_ASSERT(__float_as_uint(__uint_as_float(x & 0x7effffffu)) == (x & 0x7effffffu));
    RC_ASSERT(__popcll((unsigned long long)(x) << 20) == std::popcount(x));
}

TEST(Builtins, LoadsAndStoresOfEverySize) {
    emulator::Memory memory;
    auto* from = memory.allocate<uint4>(64, emulator::Access::read_only);
    auto* to = memory.allocate<uint4>(64, emulator::Access::uninitialised);
    for (unsigned i = 0; i < 64; ++i) from[i] = {i, i + 1, i + 2, i + 3};
    const auto report =
        emulator::run([&] { builtins::copy_all_ways(from, to); }, {.grid = 2, .block = 32}, memory, {.seed = 3});
    EXPECT_THAT(report.defects, IsEmpty());
    EXPECT_TRUE(memory.initialised(to, 64 * sizeof(uint4)));
    EXPECT_EQ(std::memcmp(from, to, 64 * sizeof(uint4)), 0);
}

template <redtune::Path path, class Word>
std::vector<std::string> load_words(unsigned offset, unsigned threads) {
    emulator::Memory memory;
    auto* from = memory.allocate<unsigned char>(32 * sizeof(Word), emulator::Access::read_only, 0, "input");
    auto* to = memory.allocate<Word>(64, emulator::Access::uninitialised);
    for (unsigned i = 0; i < 32 * sizeof(Word); ++i) from[i] = static_cast<unsigned char>(i * 7);
    auto defects =
        emulator::run([&] { builtins::load_by_path<path>(from, to, offset); }, {.grid = 1, .block = threads}, memory)
            .defects;
    if (offset == 0 && threads == 32) {
        EXPECT_EQ(std::memcmp(from, to, 32 * sizeof(Word)), 0);
    }
    return defects;
}

template <redtune::Path path>
void check_path() {
    EXPECT_THAT((load_words<path, unsigned>(0, 32)), IsEmpty());
    EXPECT_THAT((load_words<path, uint2>(0, 32)), IsEmpty());
    EXPECT_THAT((load_words<path, uint4>(0, 32)), IsEmpty());
    EXPECT_THAT((load_words<path, uint4>(8, 31)), testing::Contains(testing::HasSubstr("no multiple of 16")));
    EXPECT_THAT((load_words<path, uint2>(0, 33)),
                testing::Contains(testing::HasSubstr("past the end of buffer 'input'")));
}

TEST(Builtins, LoadsByEveryPath) {
    check_path<redtune::Path::plain>();
    check_path<redtune::Path::read_only>();
    check_path<redtune::Path::no_allocate>();
    check_path<redtune::Path::prefetch>();
    check_path<redtune::Path::evict_first>();
}

template <class T>
T bits_of(unsigned bits) {
    T value;
    value.bits = static_cast<unsigned short>(bits);
    return value;
}

template <class T>
void check_half(unsigned short a, unsigned short b, unsigned least, unsigned greatest) {
    const float x = bits_of<T>(a);
    const float y = bits_of<T>(b);
    if (std::isnan(x) || std::isnan(y)) {
        RC_ASSERT(least == 0x7fffu);
        RC_ASSERT(greatest == 0x7fffu);
    } else {
        RC_ASSERT(float(bits_of<T>(least)) == std::min(x, y));
        RC_ASSERT(float(bits_of<T>(greatest)) == std::max(x, y));
    }
}

// Returns a generator of two 16-bit floats in one word. Zeros, infinities and NaN are frequent.
rc::Gen<unsigned> two_halves() {
    const auto half = rc::gen::weightedOneOf<unsigned>(
        {{3, rc::gen::inRange(0u, 0x10000u)},
         {1, rc::gen::element(0u, 0x8000u, 0x7c00u, 0xfc00u, 0x7c01u, 0x7f80u, 0xff80u, 0x7fc0u, 0xffffu)}});
    return rc::gen::map(rc::gen::pair(half, half), [](const auto& two) { return two.first | two.second << 16; });
}

RC_GTEST_PROP(Builtins, ExtremesOfPackedHalves, ()) {
    const unsigned a = *two_halves();
    const unsigned b = *two_halves();
    for (const int shift : {0, 16}) {
        const auto half_of = [&](unsigned word) { return static_cast<unsigned short>(word >> shift); };
        check_half<redtune::Half>(half_of(a), half_of(b), half_of(redtune::min_or_nan_f16x2(a, b)),
                                  half_of(redtune::max_or_nan_f16x2(a, b)));
        check_half<redtune::BFloat16>(half_of(a), half_of(b), half_of(redtune::min_or_nan_bf16x2(a, b)),
                                      half_of(redtune::max_or_nan_bf16x2(a, b)));
    }
}

template <class T>
void check_limit(unsigned short a, unsigned short b, unsigned below, unsigned above) {
    const float x = bits_of<T>(a);
    const float y = bits_of<T>(b);
    RC_ASSERT(below == (!(x >= y) ? 0xffffu : 0u));
    RC_ASSERT(above == (!(x <= y) ? 0xffffu : 0u));
}

RC_GTEST_PROP(Builtins, ComparisonsOfPackedHalves, ()) {
    const unsigned a = *two_halves();
    const unsigned b = *two_halves();
    for (const int shift : {0, 16}) {
        const auto half_of = [&](unsigned word) { return static_cast<unsigned short>(word >> shift); };
        check_limit<redtune::Half>(half_of(a), half_of(b), half_of(redtune::below_or_nan_f16x2(a, b)),
                                   half_of(redtune::above_or_nan_f16x2(a, b)));
        check_limit<redtune::BFloat16>(half_of(a), half_of(b), half_of(redtune::below_or_nan_bf16x2(a, b)),
                                       half_of(redtune::above_or_nan_bf16x2(a, b)));
    }
}

RC_GTEST_PROP(Builtins, ExtremesOfFloats, (float a, float b)) {
    RC_ASSERT(redtune::min_or_nan(a, b) == std::min(a, b));
    RC_ASSERT(redtune::max_or_nan(a, b) == std::max(a, b));
    for (const float nan : {std::nanf(""), -std::nanf("")}) {
        RC_ASSERT(std::isnan(redtune::min_or_nan(a, nan)) && std::isnan(redtune::min_or_nan(nan, a)));
        RC_ASSERT(std::isnan(redtune::max_or_nan(a, nan)) && std::isnan(redtune::max_or_nan(nan, a)));
    }
}

RC_GTEST_PROP(Builtins, SumsOfFourBytes, (std::array<unsigned char, 4> bytes, unsigned sum)) {
    const auto packed = std::bit_cast<unsigned>(bytes);
    unsigned expected_signed = sum;
    unsigned expected = sum;
    for (const unsigned char byte : bytes) {
        expected += byte;
        expected_signed += unsigned(int(std::int8_t(byte)));
    }
    RC_ASSERT(redtune::add_four_unsigned(packed, sum) == expected);
    RC_ASSERT(unsigned(redtune::add_four(packed, int(sum))) == expected_signed);
}

TEST(Builtins, HalfPrecision) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<unsigned short>(bits);
        const float value = redtune::half_to_float(half);
        if (!std::isnan(value)) {
            ASSERT_EQ(redtune::float_to_half(value), half) << bits;
        } else {
            ASSERT_TRUE(std::isnan(redtune::half_to_float(redtune::float_to_half(value))));
        }
    }
    EXPECT_EQ(redtune::half_to_float(0x3c00), 1.0f);
    EXPECT_EQ(redtune::half_to_float(0x0001), std::ldexp(1.0f, -24));
    EXPECT_EQ(redtune::float_to_half(2049.0f), redtune::float_to_half(2048.0f));  // a tie rounds to even
    EXPECT_EQ(redtune::float_to_half(2051.0f), redtune::float_to_half(2052.0f));
    EXPECT_EQ(redtune::float_to_half(65519.0f), 0x7bff);
    EXPECT_EQ(redtune::float_to_half(65520.0f), 0x7c00);
}

}  // namespace
