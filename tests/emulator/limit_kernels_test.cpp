// Tests the probes of the limit: what they read and write, and that they have no defects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "emulator.h"
#include "stand_in/cuda_builtins.h"
// Device code must be included after cuda_builtins.h.
#include "kernels_src/limit_kernels.cuh"

namespace {

using testing::IsEmpty;

constexpr unsigned improbable = 0x5eed5eed;

TEST(LimitKernels, TheLoadReachesTheOutput) {
    emulator::Memory memory;
    auto* input = memory.allocate<unsigned char>(1, emulator::Access::read_only);
    auto* output = memory.allocate<unsigned>(1, emulator::Access::uninitialised);
    *input = 200;
    EXPECT_THAT(
        emulator::run([&] { redtune::probe_load<true>(input, output); }, {.grid = 1, .block = 1}, memory).defects,
        IsEmpty());
    EXPECT_EQ(*output, 200U);
    EXPECT_TRUE(memory.initialised(output, sizeof(unsigned)));
}

TEST(LimitKernels, TheEmptyKernelEnds) {
    const emulator::Memory memory;
    EXPECT_THAT(emulator::run([] { redtune::probe_empty<true>(); }, {.grid = 1, .block = 32}, memory).defects,
                IsEmpty());
}

/// Several calls use one slot, so each must leave it zero. Zero is a value too.
TEST(LimitKernels, TheSecondBlockHandsItsValueToTheFirst) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        emulator::Memory memory;
        auto* input = memory.allocate<unsigned char>(1, emulator::Access::read_only);
        auto* slot = memory.allocate<redtune::u64>(1, emulator::Access::read_write);
        for (const unsigned value : {17U, 0U, 255U}) {
            auto* output = memory.allocate<unsigned>(1, emulator::Access::uninitialised);
            *input = static_cast<unsigned char>(value);
            const auto report = emulator::run([&] { redtune::probe_handover<false>(input, slot, output); },
                                              {.grid = 2, .block = 1, .all_resident = true}, memory, {.seed = seed});
            EXPECT_THAT(report.defects, IsEmpty());
            EXPECT_EQ(*output, value);
            EXPECT_EQ(*slot, 0U);
        }
    }
}

/// The result of a reader of words that are zero except for one.
struct Read {
    std::vector<std::string> defects;
    bool found = false;  ///< the reader loaded the word that is not zero
};

/// Runs a reader of `count` words. Only the word `marked` is not zero: it has the value that a reader stores.
template <int loads, bool pdl>
Read read(unsigned count, unsigned marked, unsigned grid, unsigned block, std::uint64_t seed) {
    emulator::Memory memory;
    auto* words = memory.allocate<uint4>(count, emulator::Access::read_only);
    auto* output = memory.allocate<unsigned>(1, emulator::Access::read_write);
    words[marked] = {improbable ^ 5U, 1U, 0U, 4U};
    const auto report = emulator::run([&] { redtune::probe_reader<loads, pdl>(words, count, output); },
                                      {.grid = grid, .block = block}, memory, {.seed = seed});
    return {report.defects, *output == improbable};
}

/// The last word of a tile that is not whole is loaded several times, and even numbers cancel, so it is not marked. The
/// emulator reports any word past the end.
RC_GTEST_PROP(LimitKernels, AReaderReadsEveryWordAndNothingPastTheEnd, ()) {
    const auto count = *rc::gen::inRange(2U, 3000U);
    const auto marked = *rc::gen::inRange(0U, count - 1);
    const auto grid = *rc::gen::inRange(1U, 9U);
    const unsigned block = 32 * *rc::gen::inRange(1U, 4U);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const bool pdl = *rc::gen::arbitrary<bool>();
    const Read result =
        pdl ? read<4, true>(count, marked, grid, block, seed) : read<8, false>(count, marked, grid, block, seed);
    RC_ASSERT(result.defects.empty());
    RC_ASSERT(result.found);
}

TEST(LimitKernels, AReaderReadsTheLastWordOfWholeTiles) {
    const Read result = read<2, false>(4 * 64, 4 * 64 - 1, 3, 32, 1);
    EXPECT_THAT(result.defects, IsEmpty());
    EXPECT_TRUE(result.found);
}

}  // namespace
