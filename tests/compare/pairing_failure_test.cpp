#include "compare/pairing_failure.h"

#include <gtest/gtest.h>

namespace redtune::compare {
namespace {

TEST(PairingFailure, NeedsASampleOfEachRound) {
    Measurement measurement;
    measurement.status = Status::ok;
    measurement.samples_us = {1, 2, 3};
    EXPECT_EQ(pairing_failure(measurement, 3), "");
    EXPECT_EQ(pairing_failure(measurement, 4), "throttled: the SM clock fell below 0.75 of nominal in some rounds");
}

TEST(PairingFailure, NamesTheStatusAndTheReason) {
    Measurement measurement;
    measurement.status = Status::wrong;
    measurement.reason = "expected 1, got 2";
    measurement.samples_us = {1};
    EXPECT_EQ(pairing_failure(measurement, 1), "wrong: expected 1, got 2");
}

}  // namespace
}  // namespace redtune::compare
