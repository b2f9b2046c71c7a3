#include "defects_fixture.h"

namespace {

using namespace defects;

constexpr emulator::Launch eight_blocks{.grid = 8, .block = 64};
constexpr emulator::Launch resident{.grid = 8, .block = 64, .all_resident = true};
constexpr const char* between_blocks = "no release and acquire between the blocks orders the two";

TEST(GridDefects, TicketWithoutAFence) {
    expect_defect([](const Work& w) { ticket<64, false, true>(w); }, eight_blocks, between_blocks);
    expect_defect([](const Work& w) { ticket<64, true, false>(w); }, eight_blocks, between_blocks);
    expect_clean([](const Work& w) { ticket<64, true, true>(w); }, eight_blocks, sum_to(512));
}

TEST(GridDefects, FenceOfBlockScope) {
    expect_defect([](const Work& w) { ticket_of_one_thread<64, false>(w); }, eight_blocks, between_blocks);
    expect_clean([](const Work& w) { ticket_of_one_thread<64, true>(w); }, eight_blocks, sum_to(512));
}

TEST(GridDefects, PartialsWithoutWaiting) {
    expect_defect([](const Work& w) { partials_without_waiting<64>(w); }, resident, between_blocks);
}

TEST(GridDefects, FlagAndValueInTwoWords) {
    expect_defect([](const Work& w) { publish<64, Publish::relaxed_flag>(w); }, resident, between_blocks);
    expect_clean([](const Work& w) { publish<64, Publish::fences>(w); }, resident, sum_to(512));
    expect_clean([](const Work& w) { publish<64, Publish::release>(w); }, resident, sum_to(512));
    expect_clean([](const Work& w) { publish<64, Publish::one_word>(w); }, resident, sum_to(512));
}

TEST(GridDefects, WaitsForBlocksThatCannotStart) {
    Buffers buffers;
    const auto kernel = [&] { publish<64, Publish::one_word>(buffers.work); };
    int deadlocks = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        buffers.memory.fill(buffers.work.words, 8 * sizeof(u64), 0);
        const auto report = emulator::run(kernel, eight_blocks, buffers.memory, {.seed = seed, .blocks_in_flight = 1});
        deadlocks += !report.defects.empty();
        for (const std::string& text : report.defects) {
            EXPECT_THAT(text, testing::HasSubstr("no progress: block 0: thread 0 can run and last polled at"));
            EXPECT_THAT(text, testing::HasSubstr("of 8 blocks have not started"));
        }
    }
    EXPECT_GT(deadlocks, seeds / 2);
}

TEST(GridDefects, AtomicAndPlainAccess) {
    expect_defect([](const Work& w) { atomic_and_plain<false>(w); }, eight_blocks, between_blocks);
    expect_clean([](const Work& w) { atomic_and_plain<true>(w); }, eight_blocks, 8);
}

TEST(GridDefects, SpinWithoutProgress) {
    expect_defect([](const Work& w) { spin_forever<false>(w); }, eight_blocks, "no progress: ");
}

}  // namespace
