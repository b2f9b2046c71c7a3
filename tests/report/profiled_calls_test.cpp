#include "tuner/report/profiled_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::report {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string six_calls() {
    return db::read_file(test::source_path("tests/cli/ncu/six_calls.csv"));
}

TEST(ProfiledCalls, TheCallIsTheMedianOfTheSumsWithoutTheFirst) {
    const search::ProfiledCall call = parse_profiled_calls(six_calls(), 6);
    EXPECT_DOUBLE_EQ(call.us, 255) << "251 + 4; the first call takes 904";
    EXPECT_EQ(call.launches, 2);
}

TEST(ProfiledCalls, RefusesLaunchesOfAnotherNumberOfCalls) {
    EXPECT_THAT([] { parse_profiled_calls(six_calls(), 5); },
                ThrowsMessage<InputError>(HasSubstr("12 launches, which are not those of 5 calls")));
    EXPECT_THROW(parse_profiled_calls(six_calls(), 24), InputError);
}

TEST(ProfiledCalls, RefusesALaunchWithoutADuration) {
    const std::string counters = db::read_file(test::source_path("tests/cli/ncu/two_launches.csv"));
    EXPECT_THAT([&] { parse_profiled_calls(counters, 2); }, ThrowsMessage<InputError>(HasSubstr("without a duration")));
}

}  // namespace
}  // namespace redtune::report
