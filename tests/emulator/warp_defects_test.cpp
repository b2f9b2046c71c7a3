#include "defects_fixture.h"

namespace {

using namespace defects;

constexpr emulator::Launch one_warp{.grid = 1, .block = 32};

TEST(WarpDefects, LastWarpWithoutSyncwarp) {
    const emulator::Launch launch{.grid = 2, .block = 64};
    expect_defect([](const Work& w) { volatile_last_warp<64, false>(w); }, launch, "no __syncwarp() or");
    expect_clean([](const Work& w) { volatile_last_warp<64, true>(w); }, launch, sum_to(64));
}

TEST(WarpDefects, ShuffleThatSomeLanesDoNotCall) {
    expect_defect([](const Work& w) { shuffle<1>(w); }, one_warp,
                  "deadlock: block 0: threads 0-15 wait at __shfl_down_sync() (tests/emulator/kernels/defects.cuh:");
    expect_clean([](const Work& w) { shuffle<0>(w); }, one_warp, 8);
}

TEST(WarpDefects, ShuffleWithExitedLanes) {
    expect_defect([](const Work& w) { shuffle<2>(w); }, one_warp, "of its mask, which have exited");
}

TEST(WarpDefects, CallerNotInItsMask) {
    expect_defect([](const Work& w) { shuffle<3>(w); }, one_warp, "with a mask of lanes 0-15, without itself");
}

TEST(WarpDefects, ShuffleFromALaneOutsideOfTheMask) {
    expect_defect([](const Work& w) { shuffle<4>(w); }, one_warp,
                  "thread 8 reads lane 16 by __shfl_down_sync() (tests/emulator/kernels/defects.cuh:");
}

TEST(WarpDefects, ShuffleFromALaneThatTheBlockDoesNotHave) {
    expect_defect([](const Work& w) { shuffle<0>(w); }, {.grid = 1, .block = 20},
                  "thread 12 reads lane 20 by __shfl_down_sync()");
}

TEST(WarpDefects, ExchangeWithoutSyncwarp) {
    expect_defect([](const Work& w) { exchange_in_warp<false>(w); }, one_warp, "no __syncwarp() or");
    expect_clean([](const Work& w) { exchange_in_warp<true>(w); }, one_warp, 32);
}

TEST(WarpDefects, ShufflesDoNotOrderMemory) {
    expect_defect([](const Work& w) { exchange_after_shuffle<false>(w); }, one_warp, "no __syncwarp() or");
    expect_clean([](const Work& w) { exchange_after_shuffle<true>(w); }, one_warp, 32);
}

}  // namespace
