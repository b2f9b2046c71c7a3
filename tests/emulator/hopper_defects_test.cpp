#include "defects_fixture.h"

namespace {

using namespace defects;

constexpr emulator::Launch clusters{.grid = 8, .block = 64, .cluster = 4};
constexpr emulator::Launch grid{.grid = 4, .block = 64};

TEST(ClusterDefects, ReadBeforeTheValueIsThere) {
    expect_defect([](const Work& w) { cluster_sum<64, false, true>(w); }, clusters, "race: block");
    expect_clean([](const Work& w) { cluster_sum<64, true, true>(w); }, clusters, sum_to(256));
}

TEST(ClusterDefects, BlockEndsWhileOthersReadItsSharedMemory) {
    expect_defect([](const Work& w) { cluster_sum<64, true, false>(w); }, clusters, "ended");
}

TEST(ClusterDefects, AccessBeforeTheOtherBlockIsKnownToRun) {
    const emulator::Launch pairs{.grid = 4, .block = 64, .cluster = 2};
    expect_defect([](const Work& w) { store_to_neighbour<false>(w); }, pairs, "which may not have started");
    expect_clean([](const Work& w) { store_to_neighbour<true>(w); }, pairs, 1);
}

TEST(BulkCopyDefects, ReadBeforeTheWait) {
    expect_defect([](const Work& w) { bulk_sum<64, Copy::no_wait>(w); }, grid, "a bulk copy");
    expect_clean([](const Work& w) { bulk_sum<64, Copy::right>(w); }, grid, sum_to(64));
}

TEST(BulkCopyDefects, Misaligned) {
    expect_defect([](const Work& w) { bulk_sum<64, Copy::misaligned>(w); }, grid, "have to be multiples of 16");
}

TEST(BulkCopyDefects, WrongExpectedBytes) {
    expect_defect([](const Work& w) { bulk_sum<64, Copy::too_many_expected>(w); }, grid,
                  "misses 0 arrivals and 16 bytes");
    expect_defect([](const Work& w) { bulk_sum<64, Copy::too_few_expected>(w); }, grid, "it got 16 more than expected");
}

TEST(BulkCopyDefects, BarrierUsedBeforeItsInitialisationIsVisible) {
    expect_defect([](const Work& w) { bulk_sum<64, Copy::no_barrier_after_init>(w); }, grid, "barrier");
}

TEST(BulkCopyDefects, RefillBeforeAllHaveRead) {
    const emulator::Launch one{.grid = 1, .block = 64};
    expect_defect([](const Work& w) { bulk_pipeline<64, false>(w); }, one, "a bulk copy");
    expect_clean([](const Work& w) { bulk_pipeline<64, true>(w); }, one, sum_to(256));
}

}  // namespace
