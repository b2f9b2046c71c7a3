// Tests the scheduler: the effects of seeds, the end of defective launches, limits.
#include <set>

#include "defects_fixture.h"

namespace {

using namespace defects;

constexpr emulator::Launch six_blocks{.grid = 6, .block = 64};

TEST(Scheduler, EqualSeedsGiveEqualReports) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        std::vector<std::string> first;
        for (int repetition = 0; repetition < 3; ++repetition) {
            Buffers buffers;
            const auto defects = defects_of(
                buffers, [](const Work& w) { tree_without_barrier<64, false>(w); }, six_blocks, seed);
            if (repetition == 0) first = defects;
            EXPECT_EQ(defects, first);
        }
    }
}

TEST(Scheduler, EveryBlockCanBeTheLast) {
    std::set<u32> last;
    std::set<u32> first;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Buffers buffers;
        EXPECT_THAT(defects_of(
                        buffers, [](const Work& w) { order_of_arrival(w); }, six_blocks, seed),
                    testing::IsEmpty());
        first.insert(u32(buffers.work.output[0]));
        last.insert(u32(buffers.work.output[5]));
    }
    EXPECT_THAT(first, testing::ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(last, testing::ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Scheduler, ADefectiveLaunchDoesNotAffectTheNext) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Buffers buffers(100);
        const emulator::Launch one{.grid = 1, .block = 128};
        EXPECT_EQ(defects_of(
                      buffers, [](const Work& w) { early_return<128, false>(w); }, one, seed)
                      .size(),
                  1u);
        EXPECT_THAT(defects_of(
                        buffers, [](const Work& w) { early_return<128, true>(w); }, one, seed),
                    testing::IsEmpty());
        EXPECT_EQ(buffers.work.output[0], sum_to(100));
    }
}

// A system has a limit of mappings for a process (65,530), of which each stack needs two.
TEST(Scheduler, LaunchesOfManyShapesShareStacks) {
    Buffers buffers;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        for (const emulator::Launch& shape : {emulator::Launch{.grid = 100, .block = 64, .all_resident = true},
                                              emulator::Launch{.grid = 12, .block = 1024, .all_resident = true}}) {
            EXPECT_THAT(emulator::run([] {}, shape, buffers.memory, {.seed = seed}).defects, testing::IsEmpty());
        }
    }
}

TEST(Scheduler, CollectsNoMoreDefectsThanAskedFor) {
    Buffers buffers;
    const auto report = emulator::run([&] { many_races(buffers.work); }, {.grid = 1, .block = 64}, buffers.memory,
                                      {.seed = 1, .most_defects = 2});
    EXPECT_EQ(report.defects.size(), 2u);
    const auto all = emulator::run([&] { many_races(buffers.work); }, {.grid = 1, .block = 64}, buffers.memory);
    EXPECT_EQ(all.defects.size(), 4u);
}

TEST(Scheduler, RefusesWhatCudaRefuses) {
    emulator::Memory memory;
    EXPECT_THROW(emulator::run([] {}, {.grid = 0}, memory), std::invalid_argument);
    EXPECT_THROW(emulator::run([] {}, {.block = 1025}, memory), std::invalid_argument);
    EXPECT_THROW(emulator::run([] {}, {.grid = 3, .cluster = 2}, memory), std::invalid_argument);
    EXPECT_THROW(emulator::run([] {}, {.shared_bytes = 300 * 1024}, memory), std::invalid_argument);
}

}  // namespace
