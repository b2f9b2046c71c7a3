#include "defects_fixture.h"
// Device code must be included after cuda_builtins.h.
#include "tests/emulator/kernels/hopper_defects.cuh"

namespace {

using namespace defects;

constexpr emulator::Launch clusters{.grid = 8, .block = 64, .cluster = 4};
constexpr emulator::Launch pairs{.grid = 4, .block = 64, .cluster = 2};
constexpr emulator::Launch no_clusters{.grid = 4, .block = 64};

TEST(ClusterDefects, ReadBeforeTheValueIsWritten) {
    expect_defect([](const Work& w) { cluster_sum<64, false, true>(w); }, clusters, "race: block");
    expect_clean([](const Work& w) { cluster_sum<64, true, true>(w); }, clusters, sum_to(256));
}

TEST(ClusterDefects, BlockEndsWhileOthersReadItsSharedMemory) {
    expect_defect([](const Work& w) { cluster_sum<64, true, false>(w); }, clusters, "ended");
}

TEST(ClusterDefects, AccessBetweenArrivalAndWait) {
    const std::string text = "no cluster barrier orders the two";
    expect_defect([](const Work& w) { cluster_sum_with_split_barrier<64, Arrival::write_after_arrival>(w); }, clusters,
                  text);
    expect_defect([](const Work& w) { cluster_sum_with_split_barrier<64, Arrival::read_before_wait>(w); }, clusters,
                  text);
    expect_clean([](const Work& w) { cluster_sum_with_split_barrier<64, Arrival::right>(w); }, clusters, sum_to(256));
}

TEST(ClusterDefects, BlockEndsAfterItsArrivalWhileOthersRead) {
    expect_defect([](const Work& w) { cluster_sum_with_split_barrier<64, Arrival::no_wait>(w); }, clusters, "ended");
}

TEST(ClusterDefects, StoreToABlockThatEnds) {
    expect_defect([](const Work& w) { store_to_block_that_ends<false>(w); }, pairs, "ended");
    expect_clean([](const Work& w) { store_to_block_that_ends<true>(w); }, pairs, 7);
}

TEST(ClusterDefects, MisusedBarrier) {
    const auto expect = [](auto how, const std::string& text) {
        expect_defect([](const Work& w) { misused_cluster_barrier<decltype(how)::value>(w); }, pairs, text);
    };
    expect(std::integral_constant<Misuse, Misuse::wait_without_arrival>(), "waits without having arrived");
    expect(std::integral_constant<Misuse, Misuse::second_arrival>(), "arrives again without cluster_wait()");
    expect(std::integral_constant<Misuse, Misuse::warp_at_two_statements>(), "a warp has to arrive as one");
    expect(std::integral_constant<Misuse, Misuse::barriers_in_opposite_order>(), "wait at cluster_sync()");
    expect_clean([](const Work& w) { misused_cluster_barrier<Misuse::none>(w); }, pairs, 1);
}

TEST(ClusterDefects, ExitCountsAsArrivalAndOrdersNothing) {
    expect_clean([](const Work& w) { exit_before_cluster_barrier<EarlyExit::only_exits>(w); }, pairs, 1);
    expect_defect([](const Work& w) { exit_before_cluster_barrier<EarlyExit::is_read>(w); }, pairs, "ended");
    expect_defect([](const Work& w) { exit_before_cluster_barrier<EarlyExit::has_written>(w); }, pairs,
                  "no cluster barrier orders the two");
}

TEST(ClusterDefects, MisalignedWords) {
    expect_defect([](const Work& w) { distributed_words<false>(w); }, pairs, "no multiple of 4");
    expect_clean([](const Work& w) { distributed_words<true>(w); }, pairs, 5 * 100 + 16);
}

TEST(ClusterDefects, AccessToABlockThatMayNotHaveStarted) {
    expect_defect([](const Work& w) { store_to_neighbour<false>(w); }, pairs, "which may not have started");
    expect_clean([](const Work& w) { store_to_neighbour<true>(w); }, pairs, 1);
}

template <Collect how>
void collect(const Work& w) {
    collect_asynchronously<64, how>(w);
}

TEST(AsyncStoreDefects, NoneIfEveryStoreIsAwaited) {
    expect_clean(collect<Collect::right>, clusters, sum_to(256));
    expect_clean(collect<Collect::right>, no_clusters, sum_to(64));
}

TEST(AsyncStoreDefects, TargetBlockMayNotHaveStarted) {
    expect_defect(collect<Collect::no_barrier_before_store>, clusters, "which may not have started");
}

TEST(AsyncStoreDefects, BarrierIsNotInitialised) {
    expect_defect(collect<Collect::no_init>, clusters, "uses a barrier that is not initialised");
}

TEST(AsyncStoreDefects, BarrierMayNotBeInitialised) {
    expect_defect(collect<Collect::init_after_arrival>, clusters, "shared variable 'barrier'");
}

TEST(AsyncStoreDefects, ReadWithoutWaiting) {
    expect_defect(collect<Collect::read_before_wait>, clusters, "an asynchronous store");
}

TEST(AsyncStoreDefects, BlockEndsWithoutWaiting) {
    expect_defect(collect<Collect::no_wait>, clusters, "ended");
    expect_defect(collect<Collect::no_wait>, no_clusters, "ended before a store into its shared memory arrived");
}

TEST(AsyncStoreDefects, WrongExpectedBytes) {
    expect_defect(collect<Collect::eight_bytes_too_many_expected>, clusters, "misses 0 arrivals and 8 bytes");
    expect_defect(collect<Collect::four_bytes_too_few_expected>, clusters, "it got 4 more than expected");
    // The phase may complete before the last store has arrived.
    expect_defect(collect<Collect::eight_bytes_too_few_expected>, clusters, "asynchronous store");
}

TEST(AsyncStoreDefects, MisalignedWords) {
    struct One {
        u32 words[1];
    };
    struct Two {
        u32 words[2];
    };
    struct Four {
        u32 words[4];
    };
    expect_clean(store_words_async<One, 1>, pairs, 2);
    expect_clean(store_words_async<Two, 2>, pairs, 2 + 4);
    expect_clean(store_words_async<Four, 4>, pairs, 2 + 4 + 6 + 8);
    expect_defect(store_words_async<Two, 1>, pairs, "no multiple of 8");
    expect_defect(store_words_async<Four, 3>, pairs, "no multiple of 8");
}

TEST(AsyncStoreDefects, NextRoundBeforeTheLastIsRead) {
    expect_clean(rounds_of_async_stores<Rounds::right>, pairs, 0 + 1 + 1 + 2 + 2 + 3 + 3 + 4);
    expect_defect(rounds_of_async_stores<Rounds::no_barrier_between>, pairs,
                  "an asynchronous store writes 4 bytes at offset 4");
    expect_defect(rounds_of_async_stores<Rounds::arrival_before_read>, pairs, "an asynchronous store");
}

TEST(BulkCopyDefects, ReadBeforeTheWait) {
    expect_defect([](const Work& w) { bulk_sum<64, Copy::no_wait>(w); }, no_clusters, "a bulk copy");
    expect_clean([](const Work& w) { bulk_sum<64, Copy::right>(w); }, no_clusters, sum_to(64));
}

TEST(BulkCopyDefects, Misaligned) {
    expect_defect([](const Work& w) { bulk_sum<64, Copy::misaligned>(w); }, no_clusters, "have to be multiples of 16");
}

TEST(BulkCopyDefects, WrongExpectedBytes) {
    expect_defect([](const Work& w) { bulk_sum<64, Copy::too_many_expected>(w); }, no_clusters,
                  "misses 0 arrivals and 16 bytes");
    expect_defect([](const Work& w) { bulk_sum<64, Copy::too_few_expected>(w); }, no_clusters,
                  "it got 16 more than expected");
}

TEST(BulkCopyDefects, BarrierUsedBeforeItsInitialisationIsVisible) {
    expect_defect([](const Work& w) { bulk_sum<64, Copy::no_barrier_after_init>(w); }, no_clusters, "barrier");
}

TEST(BulkCopyDefects, RefillBeforeAllHaveRead) {
    const emulator::Launch one{.grid = 1, .block = 64};
    expect_defect([](const Work& w) { bulk_pipeline<64, false>(w); }, one, "a bulk copy");
    expect_clean([](const Work& w) { bulk_pipeline<64, true>(w); }, one, sum_to(256));
}

TEST(BulkCopyDefects, RefillOfAStageBeforeAllHaveRead) {
    const emulator::Launch staged{.grid = 1, .block = 64, .shared_bytes = 4 * 64 * sizeof(int)};
    expect_defect([](const Work& w) { bulk_stages<64, 4, Stages::no_barrier_before_refill>(w); }, staged,
                  "a bulk copy");
    expect_clean([](const Work& w) { bulk_stages<64, 4, Stages::right>(w); }, staged, sum_to(512));
    expect_clean([](const Work& w) { bulk_stages<64, 3, Stages::right>(w); }, staged, sum_to(512));
}

TEST(BulkCopyDefects, MisalignedStages) {
    const emulator::Launch staged{.grid = 1, .block = 64, .shared_bytes = 4 * 65 * sizeof(int)};
    const std::string text = "have to be multiples of 16";
    expect_defect([](const Work& w) { bulk_stages<64, 4, Stages::misaligned_size>(w); }, staged, text);
    expect_defect([](const Work& w) { bulk_stages<64, 4, Stages::misaligned_stage>(w); }, staged, text);
    expect_defect([](const Work& w) { bulk_stages<64, 4, Stages::misaligned_source>(w); }, staged, text);
}

TEST(BulkCopyDefects, StagesBeyondTheLaunchesSharedMemory) {
    const emulator::Launch staged{.grid = 1, .block = 64, .shared_bytes = 3 * 64 * sizeof(int)};
    expect_defect([](const Work& w) { bulk_stages<64, 4, Stages::right>(w); }, staged,
                  "past the end of dynamic shared memory");
}

}  // namespace
