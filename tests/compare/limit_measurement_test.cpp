#include "compare/limit_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace redtune::compare {
namespace {

using testing::HasSubstr;

constexpr std::size_t rounds = 3;

/// Returns a measurement with all of its samples.
Measurement measurement(double us) {
    Measurement made;
    made.samples_us.assign(rounds, us);
    made.median_us = us;
    return made;
}

std::vector<Measurement> measurements(const std::vector<double>& times_us) {
    std::vector<Measurement> made;
    for (const double us : times_us) made.push_back(measurement(us));
    return made;
}

TEST(LimitMeasurement, EachPartIsTheTimeOfItsProbe) {
    std::string failure;
    const auto limit = limit_of(measurements({0.5, 1.25, 2, 1.5, 1.125}),
                                {ReaderShape{512, 8, 1}, ReaderShape{128, 4, 64}}, 1, rounds, failure);
    ASSERT_TRUE(limit.has_value()) << failure;
    EXPECT_EQ(limit->empty_us, 0.5);
    EXPECT_EQ(limit->load_us, 1.25);
    EXPECT_EQ(limit->handover_us, 2);
    EXPECT_EQ(limit->one_block, (report::Reader{1.5, "block=512, loads=8, grid=1"}));
    EXPECT_EQ(limit->grid, (report::Reader{1.125, "block=128, loads=4, grid=64"}));
    EXPECT_EQ(limit->us(), 1.5);
}

TEST(LimitMeasurement, AMissingReaderShiftsNoTime) {
    std::string failure;
    const auto limit =
        limit_of(measurements({0.5, 1.25, 2, 30}), {std::nullopt, ReaderShape{512, 8, 528}}, 1, rounds, failure);
    ASSERT_TRUE(limit.has_value()) << failure;
    EXPECT_FALSE(limit->one_block.has_value());
    EXPECT_EQ(limit->us(), 30);
}

TEST(LimitMeasurement, AnInputWithoutAWholeWordIsReadByTheLoad) {
    std::string failure;
    EXPECT_EQ(limit_of(measurements({0.5, 1.25, 2}), {}, 1, rounds, failure)->us(), 1.25);
}

TEST(LimitMeasurement, SeveralResultsNeedNoHandOver) {
    std::string failure;
    const FastestReaders readers{std::nullopt, ReaderShape{512, 8, 528}};
    EXPECT_EQ(limit_of(measurements({0.5, 1.25, 2, 1.5}), readers, 64, rounds, failure)->us(), 1.5);
    EXPECT_EQ(limit_of(measurements({0.5, 1.25, 2, 1.5}), readers, 1, rounds, failure)->us(), 2);
}

TEST(LimitMeasurement, AProbeWithoutAValidTimeIsNamed) {
    std::vector<Measurement> times = measurements({0.5, 1.25, 2});
    times[2].samples_us.pop_back();
    std::string failure;
    EXPECT_FALSE(limit_of(times, {}, 1, rounds, failure).has_value());
    EXPECT_THAT(failure, HasSubstr("limit, hand-over: throttled"));
}

}  // namespace
}  // namespace redtune::compare
