#include "defects_fixture.h"

namespace {

using namespace defects;

constexpr emulator::Launch one_block{.grid = 1, .block = 128};

TEST(BlockDefects, ThreadsThatExitBeforeABarrier) {
    expect_defect([](const Work& w) { early_return<128, false>(w); }, one_block,
                  "deadlock: block 0: threads 100-127 exited, threads 0-99 wait at __syncthreads() "
                  "(tests/emulator/kernels/defects.cuh:",
                  100);
    expect_clean([](const Work& w) { early_return<128, true>(w); }, one_block, sum_to(100), 100);
}

TEST(BlockDefects, BarriersAtDifferentPlaces) {
    expect_defect([](const Work& w) { barrier_in_branch<128, false>(w); }, one_block, "wait at different barriers");
    expect_clean([](const Work& w) { barrier_outside_of_branch<128>(w); }, one_block, 1);
}

TEST(BlockDefects, TreeWithoutBarriers) {
    expect_defect([](const Work& w) { tree_without_barrier<128, false>(w); }, four_blocks, "race: ");
    expect_clean([](const Work& w) { tree_without_barrier<128, true>(w); }, four_blocks, sum_to(128));
}

TEST(BlockDefects, WriteAfterRead) {
    expect_defect([](const Work& w) { write_after_read<128, false>(w); }, four_blocks, "no __syncthreads() between");
    expect_clean([](const Work& w) { write_after_read<128, true>(w); }, four_blocks, 33);
}

TEST(BlockDefects, SharedArrayUsedTwice) {
    expect_defect([](const Work& w) { shared_array_twice<128, false>(w); }, four_blocks,
                  "of shared variable 'value' (4 bytes)");
    expect_clean([](const Work& w) { shared_array_twice<128, true>(w); }, four_blocks, 3);
}

TEST(BlockDefects, UpdateOfTheWrongElement) {
    expect_defect([](const Work& w) { strided_update<128, false>(w); }, one_block, "race: ");
    expect_clean([](const Work& w) { strided_update<128, true>(w); }, one_block, sum_to(128));
}

TEST(BlockDefects, UnwrittenSharedMemory) {
    const emulator::Launch warp{.grid = 1, .block = 32};
    expect_defect([](const Work& w) { wide_tree_of_narrow_segment<false>(w); }, warp, "uninitialised: block 0, thread");
    expect_clean([](const Work& w) { wide_tree_of_narrow_segment<true>(w); }, warp, sum_to(16));
}

}  // namespace
