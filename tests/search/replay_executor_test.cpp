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

/// A recording with one candidate at one size.
class ReplayTest : public ::testing::Test {
  protected:
    ReplayTest() {
        trial_.configuration = {"fake", {{"block", std::int64_t{64}}}};
        trial_.rule.block = 64;
        trial_.rule.tile = 64;
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
            store.record(sweep, trial_, "hash", 4096, Regime::cold, make_plan(trial_.rule, 4096), measurement);
        }
        store.finish_sweep(sweep, "finished");
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", folder_.path().c_str()};
    Problem problem_ = make_problem("sum", Type::f32);
    Trial trial_;
};

TEST_F(ReplayTest, ReturnsTheRecordedSamplesInOrder) {
    ReplayExecutor replay("some-gpu", problem_);
    EXPECT_EQ(replay.source(), "replay:some-gpu");
    EXPECT_EQ(replay.device().name, "NVIDIA H200");
    EXPECT_TRUE(replay.offers(trial_, 4096, Regime::cold));
    const Measurement screened = replay.measure(trial_, 4096, Regime::cold, Stage::screen, 0);
    EXPECT_EQ(screened.samples_us, (std::vector<double>{2, 1, 3}));
    EXPECT_EQ(screened.measured_at, "2026-01-02T03:04:05Z");
    const Measurement final = replay.compare(std::vector<Trial>{trial_}, 4096, Regime::cold, 24).front();
    EXPECT_EQ(final.stage, Stage::final);
    EXPECT_EQ(final.median_us, 1.5);
}

TEST_F(ReplayTest, StopsEarlyAsTheGpuWouldHave) {
    ReplayExecutor replay("some-gpu", problem_);
    const Measurement hopeless = replay.measure(trial_, 4096, Regime::cold, Stage::screen, 0.5);
    EXPECT_EQ(hopeless.status, Status::ok);
    EXPECT_EQ(hopeless.samples_us, (std::vector<double>{2, 1}));
    EXPECT_EQ(hopeless.median_us, 1.5);
    EXPECT_EQ(hopeless.minimum_us, 1);
    EXPECT_EQ(replay.measure(trial_, 4096, Regime::cold, Stage::screen, 0.9).samples_us.size(), 3U);
    EXPECT_EQ(replay.measure(trial_, 4096, Regime::cold, Stage::screen, 0).samples_us.size(), 3U);
}

TEST_F(ReplayTest, AStageThatWasNotRecordedHasTheTimesOfTheStageBefore) {
    ReplayExecutor replay("some-gpu", problem_);
    const Measurement survivor = replay.measure(trial_, 4096, Regime::cold, Stage::survivor, 0);
    EXPECT_EQ(survivor.stage, Stage::survivor);
    EXPECT_EQ(survivor.median_us, 2);
}

TEST_F(ReplayTest, OffersOnlyWhatWasRecorded) {
    ReplayExecutor replay("some-gpu", problem_);
    Trial other = trial_;
    other.configuration.parameters[0].value = std::int64_t{128};
    EXPECT_FALSE(replay.offers(other, 4096, Regime::cold));
    EXPECT_THROW(replay.measure(other, 4096, Regime::cold, Stage::screen, 0), Error);
}

TEST_F(ReplayTest, RefusesSizesAndRegimesThatWereNotRecordedAndNamesThoseThatWere) {
    ReplayExecutor replay("some-gpu", problem_);
    EXPECT_FALSE(replay.refuses(4096, Regime::cold));
    EXPECT_EQ(replay.refuses(8192, Regime::cold).value_or(""),
              "the recording some-gpu has sum of f32, whole, cold only at 4Ki");
    EXPECT_EQ(replay.refuses(4096, Regime::warm).value_or(""),
              "the recording some-gpu has no measurement of sum of f32, whole, warm; it has sum of f32, whole "
              "(cold: 4Ki)");
    EXPECT_THAT(ReplayExecutor("some-gpu", make_problem("sum", Type::u16)).refuses(4096, Regime::cold).value_or(""),
                HasSubstr("has no measurement of sum of u16, whole, cold; it has sum of f32, whole (cold: 4Ki)"));
}

TEST_F(ReplayTest, RefusesProblemsOfWhichOnlyWinnersWereRecorded) {
    const Problem problem = make_problem("max", Type::f32);
    {
        db::Store store = db::Store::open(folder_ / "some-gpu.recording.db", db::Access::read_write);
        db::add_winner(store, test_support::h200(), problem, 4096, Regime::cold, db::candidate(), 2);
    }
    const ReplayExecutor replay("some-gpu", problem);
    EXPECT_EQ(
        replay.refuses(4096, Regime::cold).value_or(""),
        "the recording some-gpu has no screenings, only the winners and finalists, of max of f32, whole, cold; it "
        "has sum of f32, whole (cold: 4Ki)");
}

TEST_F(ReplayTest, RefusesFamiliesThatWereNotRecordedAndNamesThoseThatWere) {
    const ReplayExecutor replay("some-gpu", problem_);
    const std::vector<std::uint64_t> sizes = {4096};
    const std::vector<Regime> regimes = {Regime::cold};
    EXPECT_FALSE(replay.refuses_family("fake", sizes, regimes));
    EXPECT_EQ(replay.refuses_family("own", sizes, regimes).value_or(""),
              "the recording some-gpu has no measurement of it for sum of f32, whole at these sizes; it has fake");
}

TEST_F(ReplayTest, AnUnknownRecordingIsRefusedWithTheNamesThatExist) {
    EXPECT_THAT([&] { ReplayExecutor("other", problem_); },
                ThrowsMessage<InputError>(HasSubstr("the recorded devices are some-gpu")));
}

}  // namespace
}  // namespace redtune::search
