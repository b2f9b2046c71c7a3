#include "tuner/cli/ncu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/fake_ncu.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

search::WorkerTask task() {
    search::WorkerTask task;
    task.ordinal = 1;
    return task;
}

std::vector<report::Counters> read() {
    return read_counters(find_ncu(), task(), db::candidate(), 4096);
}

TEST(Ncu, ReadsTheCountersOfACallOfThisProgram) {
    const test::FakeNcu ncu("two_launches.csv");
    const db::ScopedVariable program("REDTUNE_WORKER_PROGRAM", "/where/it's/redtune");
    const auto launches = read();
    ASSERT_EQ(launches.size(), 2U);
    EXPECT_EQ(launches[0].kernel, "tile_per_block");
    EXPECT_EQ(ncu.starts(), 1U);
    EXPECT_THAT(ncu.arguments(), AllOf(HasSubstr("--csv\n--page\nraw\n"), HasSubstr("dram__bytes_read.sum"),
                                       HasSubstr("\n/where/it's/redtune\nlaunch\n{"), HasSubstr("\"ordinal\":1"),
                                       HasSubstr("\"family\":\"grid_stride_wide\""), HasSubstr("\"n\":4096")));
}

TEST(Ncu, TakesTheDurationOfACall) {
    const test::FakeNcu ncu("six_calls.csv");
    const search::ProfiledCall call = profile_call(find_ncu(), task(), db::candidate(), 4096, Regime::cold, {});
    EXPECT_EQ(call, (search::ProfiledCall{255, 2}));
    EXPECT_THAT(ncu.arguments(), AllOf(HasSubstr("--clock-control\nnone\n"), HasSubstr("--cache-control\nall\n"),
                                       HasSubstr("--metrics\ngpu__time_duration.sum\n"), HasSubstr("\"rounds\":6")));
}

TEST(Ncu, LeavesTheCachesAsTheyAreInTheRegimeWarm) {
    const test::FakeNcu ncu("six_calls.csv");
    profile_call(find_ncu(), task(), db::candidate(), 4096, Regime::warm, {});
    EXPECT_THAT(ncu.arguments(), HasSubstr("--cache-control\nnone\n"));
}

TEST(Ncu, APageWithoutDurationsShowsWhatNcuPrinted) {
    const test::FakeNcu ncu("two_launches.csv");
    EXPECT_THAT([] { profile_call(find_ncu(), task(), db::candidate(), 4096, Regime::cold, {}); },
                ThrowsMessage<DeviceError>(HasSubstr("read no hardware counters of grid_stride_wide(")));
}

TEST(Ncu, SaysHowToPermitCounters) {
    for (const int exit_code : {0, 1}) {
        const test::FakeNcu ncu("not_permitted.txt", exit_code);
        EXPECT_THAT(read, ThrowsMessage<DeviceError>(AllOf(HasSubstr("ERR_NVGPUCTRPERM"), HasSubstr("as root"),
                                                           HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"))));
    }
}

TEST(Ncu, AFailureShowsWhatNcuPrinted) {
    const test::FakeNcu ncu("two_launches.csv", 1);
    EXPECT_THAT(read, ThrowsMessage<DeviceError>(AllOf(HasSubstr("read no hardware counters of grid_stride_wide("),
                                                       HasSubstr("combine_partials"))));
}

TEST(Ncu, IsTakenFromTheFirstFolderThatHasIt) {
    const test::FakeNcu first("two_launches.csv");
    const db::TemporaryFolder empty;
    db::write_file(empty / "ncu", "not executable");
    EXPECT_EQ(find_ncu({empty.path(), first.program().parent_path()}), first.program());
    EXPECT_THAT([&] { find_ncu({empty.path()}); },
                ThrowsMessage<DeviceError>(AllOf(HasSubstr("Nsight Compute"), HasSubstr("apt-get install"))));
    const auto folders = ncu_folders();
    EXPECT_EQ(folders.front(), first.program().parent_path());
    EXPECT_THAT(folders, testing::Contains(std::filesystem::path("/usr/local/cuda/bin")));
}

}  // namespace
}  // namespace redtune::cli
