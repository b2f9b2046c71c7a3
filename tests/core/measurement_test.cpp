#include "tuner/core/measurement.h"

#include <gtest/gtest.h>

#include "redtune/error.h"

namespace redtune {
namespace {

TEST(Measurement, SummariseComputesTheStatisticsOfTheSamples) {
    Measurement measurement;
    measurement.samples_us = {3, 1, 2, 5, 4};
    summarise(measurement);
    EXPECT_DOUBLE_EQ(measurement.median_us, 3);
    EXPECT_DOUBLE_EQ(measurement.minimum_us, 1);
    EXPECT_DOUBLE_EQ(measurement.interquartile_us, 2);
    EXPECT_EQ(measurement.samples_us.front(), 3) << "samples stay in the order they were taken";
    measurement.samples_us.clear();
    summarise(measurement);
    EXPECT_EQ(measurement.minimum_us, 0);
}

TEST(Measurement, NamesRoundTrip) {
    for (Status status : {Status::ok, Status::wrong, Status::implausible, Status::compile_error, Status::launch_error,
                          Status::throttled, Status::fault, Status::timeout, Status::out_of_memory}) {
        EXPECT_EQ(parse_status(to_string(status)), status);
    }
    EXPECT_FALSE(is_harmful(Status::launch_error));
    EXPECT_TRUE(is_harmful(Status::timeout));
    for (Stage stage : {Stage::screen, Stage::survivor, Stage::final}) EXPECT_EQ(parse_stage(to_string(stage)), stage);
    EXPECT_THROW(parse_status("fine"), InputError);
    EXPECT_THROW(parse_stage("last"), InputError);
}

}  // namespace
}  // namespace redtune
