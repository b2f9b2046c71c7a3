#include "db/samples.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "redtune/error.h"

namespace redtune::db {
namespace {

TEST(Samples, AreWrittenWithFiveDigits) {
    EXPECT_EQ(samples_to_json(std::vector<double>{}), "[]");
    EXPECT_EQ(samples_to_json(std::vector{3.14159265, 10.0, 123456.7}), "[3.1416,10,1.2346e+05]");
}

TEST(Samples, KeepThePositionOfNonFiniteValues) {
    const std::string json = samples_to_json(std::vector<double>{1, std::nan(""), INFINITY, 2});
    EXPECT_EQ(json, "[1,null,null,2]");
    const auto samples = samples_from_json(json);
    ASSERT_EQ(samples.size(), 4U);
    EXPECT_TRUE(std::isnan(samples[1]));
    EXPECT_EQ(samples[3], 2);
}

TEST(Samples, RejectTextThatIsNotAnArrayOfNumbers) {
    for (const char* bad : {"", "{}", "[1", "[\"a\"]", "[[1]]", "3"}) {
        EXPECT_THROW(samples_from_json(bad), DatabaseError) << bad;
    }
}

RC_GTEST_PROP(Samples, KeepTheirOrderAndFiveDigits, (const std::vector<std::uint32_t>& nanoseconds)) {
    std::vector<double> samples;
    for (const std::uint32_t ns : nanoseconds) samples.push_back(ns / 1e3);
    const std::vector<double> read = samples_from_json(samples_to_json(samples));
    RC_ASSERT(read.size() == samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        RC_ASSERT(std::abs(read[i] - samples[i]) <= 5.001e-5 * samples[i]);
    }
}

}  // namespace
}  // namespace redtune::db
