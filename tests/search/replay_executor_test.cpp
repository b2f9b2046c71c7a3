#include "tuner/search/replay_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"

namespace redtune::search {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A recording of one candidate at one size.
class ReplayTest : public ::testing::Test {
  protected:
    ReplayTest() {
        candidate_.configuration = {"fake", {{"block", std::int64_t{64}}}};
        candidate_.rule.block = 64;
        candidate_.rule.tile = 64;
        db::Store store = db::Store::open(folder_ / "some-gpu.recording.db", db::Access::read_write);
        const std::int64_t sweep =
            store.begin_sweep(test_support::h200(), problem_, {"0.1", "13.0", "580"}, "gpu", "redtune tune");
        for (const Stage stage : {Stage::screen, Stage::final}) {
            Measurement measurement;
            measurement.stage = stage;
            measurement.samples_us = {2.0, 1.0, stage == Stage::screen ? 3.0 : 1.5};
            measurement.calls_per_sample = 100;
            measurement.measured_at = "2026-01-02T03:04:05Z";
            summarise(measurement);
            store.record(sweep, candidate_, "hash", 4096, Regime::cold, make_plan(candidate_.rule, 4096), measurement);
        }
        store.finish_sweep(sweep, "finished");
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", folder_.path().c_str()};
    Problem problem_ = make_problem("sum", Type::f32);
    Candidate candidate_;
    Family family_;
};

TEST_F(ReplayTest, GivesBackWhatWasRecordedInItsOrder) {
    ReplayExecutor replay("some-gpu", problem_);
    EXPECT_EQ(replay.source(), "replay:some-gpu");
    EXPECT_EQ(replay.device().name, "NVIDIA H200");
    const Trial trial{&family_, candidate_};
    EXPECT_TRUE(replay.offers(trial, 4096, Regime::cold));
    const Measurement screened = replay.measure(trial, 4096, Regime::cold, Stage::screen, 0);
    EXPECT_EQ(screened.samples_us, (std::vector<double>{2, 1, 3}));
    EXPECT_EQ(screened.measured_at, "2026-01-02T03:04:05Z");
    const Measurement final = replay.compare(std::vector<Trial>{trial}, 4096, Regime::cold).front();
    EXPECT_EQ(final.stage, Stage::final);
    EXPECT_EQ(final.median_us, 1.5);
}

TEST_F(ReplayTest, GivesUpAsTheGpuWouldHave) {
    ReplayExecutor replay("some-gpu", problem_);
    const Trial trial{&family_, candidate_};
    const Measurement hopeless = replay.measure(trial, 4096, Regime::cold, Stage::screen, 0.5);
    EXPECT_EQ(hopeless.status, Status::ok);
    EXPECT_EQ(hopeless.samples_us, (std::vector<double>{2, 1}));
    EXPECT_EQ(hopeless.median_us, 1.5);
    EXPECT_EQ(hopeless.minimum_us, 1);
    EXPECT_EQ(replay.measure(trial, 4096, Regime::cold, Stage::screen, 0.9).samples_us.size(), 3U);
    EXPECT_EQ(replay.measure(trial, 4096, Regime::cold, Stage::screen, 0).samples_us.size(), 3U);
}

TEST_F(ReplayTest, AStageThatWasNotRecordedIsTheOneBefore) {
    ReplayExecutor replay("some-gpu", problem_);
    const Measurement survivor = replay.measure({&family_, candidate_}, 4096, Regime::cold, Stage::survivor, 0);
    EXPECT_EQ(survivor.stage, Stage::survivor);
    EXPECT_EQ(survivor.median_us, 2);
}

TEST_F(ReplayTest, OffersOnlyWhatWasRecorded) {
    ReplayExecutor replay("some-gpu", problem_);
    Trial other{&family_, candidate_};
    other.candidate.configuration.parameters[0].value = std::int64_t{128};
    EXPECT_FALSE(replay.offers(other, 4096, Regime::cold));
    EXPECT_THROW(replay.measure(other, 4096, Regime::cold, Stage::screen, 0), Error);
    EXPECT_FALSE(replay.refuses(4096, Regime::cold));
    EXPECT_THAT(replay.refuses(8192, Regime::cold).value_or(""), HasSubstr("has the sizes 4Ki"));
    EXPECT_THAT(replay.refuses(4096, Regime::warm).value_or(""), HasSubstr("has no sum of f32, whole, warm"));
    EXPECT_THAT(replay.refuses(4096, Regime::back_to_back).value_or(""),
                HasSubstr("has no sum of f32, whole, back_to_back"));
}

TEST_F(ReplayTest, AnUnknownRecordingIsRefusedWithTheNamesThereAre) {
    EXPECT_THAT([&] { ReplayExecutor("other", problem_); }, ThrowsMessage<InputError>(HasSubstr("there are some-gpu")));
}

}  // namespace
}  // namespace redtune::search
