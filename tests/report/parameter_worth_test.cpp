#include "tuner/report/parameter_worth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"

namespace redtune::report {
namespace {

/// Returns a measurement of family(block=..., unroll=...).
db::StoredMeasurement timed(std::int64_t block, std::int64_t unroll, double time_us, Stage stage = Stage::final) {
    db::StoredMeasurement stored;
    stored.configuration = {"family", {{"block", block}, {"unroll", unroll}}};
    stored.code_hash = "hash";
    stored.unit = "GPU-1";
    stored.measurement = db::measurement(time_us, stage);
    return stored;
}

TEST(ParameterWorth, ComparesCandidatesThatDifferInOneParameter) {
    const std::vector<db::StoredMeasurement> measurements{timed(256, 4, 10), timed(128, 4, 11), timed(512, 4, 10.5),
                                                          timed(512, 8, 9)};
    const auto worths = parameter_worths(measurements[0].configuration, measurements);
    ASSERT_EQ(worths.size(), 2U);
    EXPECT_EQ(worths[0].name, "block");
    ASSERT_EQ(worths[0].others.size(), 2U);
    EXPECT_EQ(worths[0].others[0].value, Value(std::int64_t{512})) << "the fastest comes first";
    EXPECT_DOUBLE_EQ(worths[0].others[0].ratio(), 1.05);
    EXPECT_DOUBLE_EQ(worths[0].others[1].ratio(), 1.1);
    EXPECT_TRUE(worths[1].others.empty()) << "block=512, unroll=8 differs in both";
}

TEST(ParameterWorth, ComparesTimesOfTheSameStageDataUnitAndCodeOnly) {
    std::vector<db::StoredMeasurement> measurements{timed(256, 4, 12, Stage::screen), timed(256, 4, 10),
                                                    timed(128, 4, 15, Stage::screen)};
    auto worths = parameter_worths(measurements[0].configuration, measurements);
    ASSERT_EQ(worths[0].others.size(), 1U);
    EXPECT_DOUBLE_EQ(worths[0].others[0].ratio(), 1.25) << "both were screened";

    measurements.push_back(timed(128, 4, 11));
    worths = parameter_worths(measurements[0].configuration, measurements);
    EXPECT_DOUBLE_EQ(worths[0].others.at(0).ratio(), 1.1) << "the later stage counts";

    const auto without = [&](const auto& change) {
        std::vector<db::StoredMeasurement> two{timed(256, 4, 10), timed(128, 4, 11)};
        change(two[1]);
        return parameter_worths(two[0].configuration, two)[0].others.empty();
    };
    EXPECT_FALSE(without([](auto&) {}));
    EXPECT_TRUE(without([](auto& other) { other.unit = "GPU-2"; }));
    EXPECT_TRUE(without([](auto& other) { other.code_hash = "other"; }));
    EXPECT_TRUE(without([](auto& other) { other.measurement.data = "outlier"; }));
    EXPECT_TRUE(without([](auto& other) { other.measurement.status = Status::wrong; }));
    EXPECT_TRUE(without([](auto& other) { other.configuration.family = "another"; }));
}

TEST(ParameterWorth, IsEmptyWithoutMeasurements) {
    const auto worths = parameter_worths(timed(256, 4, 10).configuration, {});
    ASSERT_EQ(worths.size(), 2U);
    EXPECT_EQ(worths[1].value, Value(std::int64_t{4}));
    EXPECT_TRUE(worths[0].others.empty() && worths[1].others.empty());
}

}  // namespace
}  // namespace redtune::report
