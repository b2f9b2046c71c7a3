#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "redtune/error.h"
#include "tests/report/fake_ladder_bench.h"
#include "tests/support/command_line.h"
#include "tests/support/fake_ncu.h"
#include "tests/support/golden.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

/// Returns a made-up time in microseconds. Exactly one of redtune's own kernels has the best time.
double made_up_us(const Configuration& configuration) {
    static const std::map<std::string, double> times = {{"neighbored", 320},        {"neighbored_less", 240},
                                                        {"interleaved", 180},       {"unrolling2", 96},
                                                        {"unrolling4", 52},         {"unrolling8", 40},
                                                        {"unroll_warps8", 36},      {"complete_unroll_warps8", 34},
                                                        {"complete_unroll", 33},    {"shared_modulo", 400},
                                                        {"shared_strided", 300},    {"shared_sequential", 250},
                                                        {"shared_first_add", 150},  {"shared_last_warp", 100},
                                                        {"shared_full_unroll", 90}, {"shared_multi_add", 48},
                                                        {"segment_shared", 12},     {"segment_shuffle", 9}};
    const auto found = times.find(configuration.family);
    if (found != times.end()) return found->second;
    const auto is = [&](const char* name, std::int64_t wanted) {
        const Value* value = configuration.find(name);
        return value == nullptr || *value == Value(wanted);
    };
    const bool is_best = is("block", 256) && is("unroll", 2) && is("vector_bytes", 16) && is("threads_per_row", 8);
    return (configuration.find("threads_per_row") == nullptr ? 30 : 6) * (is_best ? 1 : 2);
}

class LadderCommand : public testing::Test {
  protected:
    LadderCommand() {
        bench_.us = made_up_us;
        bench_.rest_us = 1;
    }

    Outcome ladder(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "ladder");
        return run_command([&](CLI::App& app, int& exit_code) { add_ladder_command(app, exit_code, &bench_); },
                           arguments);
    }

    std::vector<std::string> setups_of(const std::vector<std::string>& arguments) {
        std::vector<std::string> command = arguments;
        command.insert(command.end(), {"--format", "json"});
        std::vector<std::string> setups;
        for (const auto& row : nlohmann::json::parse(ladder(command).out)) {
            const auto setup = row["setup"].get<std::string>();
            if (setups.empty() || setups.back() != setup) setups.push_back(setup);
        }
        return setups;
    }

    report::FakeLadderBench bench_;
};

TEST_F(LadderCommand, ShowsAllPublishedSetupsInATable) {
    const Outcome outcome = ladder({});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_EQ(outcome.out, test::golden("ladder_table.txt", outcome.out));
    EXPECT_THAT(outcome.err, HasSubstr("in_place: sum of i32, destructive, n = 16Mi, cold, on NVIDIA H200"));
    EXPECT_THAT(outcome.err, HasSubstr("complete_unroll was published for a later card only: 1008 us"));
}

TEST_F(LadderCommand, ShowsAllPublishedSetupsInMarkdown) {
    const Outcome outcome = ladder({"--format", "md"});
    EXPECT_EQ(outcome.out, test::golden("ladder_md.txt", outcome.out));
}

TEST_F(LadderCommand, JsonHasNumbersAndNulls) {
    const auto rows = nlohmann::json::parse(ladder({"--setup", "in_place", "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 10U);
    EXPECT_EQ(rows[0]["step"], 1);
    EXPECT_EQ(rows[0]["call_us"], 320.0);
    EXPECT_EQ(rows[0]["kernel_us"], 319.0);
    EXPECT_EQ(rows[0]["published_on"], "Tesla M2070");
    EXPECT_EQ(rows[1]["published_us"], 9321.0);
    EXPECT_TRUE(rows[8]["published_us"].is_null());
    EXPECT_EQ(rows[9]["step"], "redtune");
    EXPECT_EQ(rows[9]["family"], "grid_stride_wide");
}

TEST_F(LadderCommand, RunsEachRequestedSetupOnce) {
    EXPECT_EQ(setups_of({"--setup", "rows,shared,rows"}), (std::vector<std::string>{"rows", "shared"}));
    EXPECT_EQ(setups_of({"--setup", "custom"}), (std::vector<std::string>{"custom"}));
    EXPECT_EQ(setups_of({"--setup", "rows,custom", "--size", "1Mi"}), (std::vector<std::string>{"rows", "custom"}));
}

TEST_F(LadderCommand, ProblemOptionsMakeACustomSetup) {
    EXPECT_EQ(setups_of({"--size", "1Mi"}), (std::vector<std::string>{"custom"}));
    EXPECT_EQ(bench_.sizes.back(), 1U << 20);
    EXPECT_EQ(setups_of({"--shape", "rows:64", "--dtype", "f16"}), (std::vector<std::string>{"custom"}));
    EXPECT_EQ(bench_.problems.back().row_length, 64U);
    EXPECT_EQ(bench_.problems.back().input, Type::f16);
}

TEST_F(LadderCommand, TakesStepsAndTheBlockNearestToTheRequestedOne) {
    const auto rows = nlohmann::json::parse(
        ladder({"--steps", "neighbored,shared_modulo", "--dtype", "i32", "--block", "300", "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0]["configuration"], "neighbored(block=256)");
    EXPECT_EQ(rows[1]["configuration"], "shared_modulo(block=256)");
    EXPECT_TRUE(bench_.problems.back().destructive);
    EXPECT_TRUE(rows[0]["published_us"].is_null());
}

TEST_F(LadderCommand, AFailedStepLeavesItsCellsEmptyAndShowsInTheExitCode) {
    bench_.wrong = {"shared_strided"};
    const Outcome outcome = ladder({"--setup", "shared", "--format", "json"});
    EXPECT_EQ(outcome.exit_code, failed_candidates);
    EXPECT_THAT(outcome.err, HasSubstr("shared: shared_strided(block=256): wrong: expected 1, got 2"));
    const auto rows = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(rows[1]["family"], "shared_strided");
    for (const char* empty : {"kernel_us", "kernel_speedup", "call_us", "call_gb_per_s"}) {
        EXPECT_TRUE(rows[1][empty].is_null()) << empty;
    }
    EXPECT_FALSE(rows[2]["call_us"].is_null());
}

TEST_F(LadderCommand, ShowsCountersNextToTheTimes) {
    const test::FakeNcu ncu("two_launches.csv");
    const Outcome outcome = ladder({"--setup", "shared", "--counters"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_EQ(outcome.out, test::golden("ladder_counters_table.txt", outcome.out));
    EXPECT_EQ(ncu.starts(), 8U) << "seven steps, and redtune's best";
    EXPECT_THAT(ncu.arguments(), AllOf(HasSubstr("\"family\":\"shared_last_warp\""), HasSubstr("\"n\":33554432")));
    const auto rows = nlohmann::json::parse(ladder({"--setup", "shared", "--counters", "--format", "json"}).out);
    EXPECT_EQ(rows[0]["instructions_per_warp"], 76.5) << "of the first of two launches";
    EXPECT_EQ(rows[0]["memory_percent"], 30.5);
    EXPECT_EQ(rows[0]["published_memory_percent"], 39.57);
    EXPECT_TRUE(rows[0]["store_efficiency_percent"].is_null());
    EXPECT_TRUE(rows[7]["published_memory_percent"].is_null());
    EXPECT_FALSE(
        nlohmann::json::parse(ladder({"--setup", "shared", "--format", "json"}).out)[0].contains("memory_percent"));
}

TEST_F(LadderCommand, KeepsTheTimesIfCountersAreNotPermitted) {
    const test::FakeNcu ncu("not_permitted.txt");
    const Outcome outcome = ladder({"--setup", "rows", "--counters"});
    EXPECT_EQ(outcome.exit_code, no_device);
    EXPECT_THAT(outcome.err, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("segment_shuffle(block=256, lanes=32)"), Not(HasSubstr("occupancy"))));
    EXPECT_EQ(ncu.starts(), 1U) << "it is not tried again";
}

TEST_F(LadderCommand, RefusesWrongArgumentsAndSaysWhatIsAllowed) {
    const auto refuses = [&](const std::vector<std::string>& arguments, const auto& message) {
        EXPECT_THAT([&] { ladder(arguments); }, ThrowsMessage<InputError>(message))
            << testing::PrintToString(arguments);
    };
    refuses({"--setup", "books"}, HasSubstr("allowed are in_place, shared, rows, custom"));
    refuses({"--setup", "shared", "--size", "1Mi"}, HasSubstr("--size is not for a published set-up"));
    refuses({"--steps", "no_such"}, HasSubstr("shared_modulo"));
    refuses({"--steps", "segment_shared"}, AllOf(HasSubstr("not for shape whole"), HasSubstr("neighbored")));
    refuses({"--shape", "rows:32", "--steps", "neighbored"}, HasSubstr("families that are: "));
    refuses({"--shape", "rows:32", "--size", "1000"}, HasSubstr("not a whole number of rows of 32"));
    refuses({"--size", "0"}, HasSubstr("1 element or more"));
    refuses({"--size", "many"}, HasSubstr("Sizes are elements"));
    refuses({"--block", "0"}, HasSubstr("1 to 1024"));
    refuses({"--dtype", "f32,i32"}, HasSubstr("give one"));
    refuses({"--op", "summ"}, HasSubstr("sum"));
    refuses({"--regime", "warm"}, HasSubstr("allowed is cold"));
    refuses({"--regime", "tepid"}, HasSubstr("cold, warm"));
    refuses({"--device", "replay:nvidia-h200"}, HasSubstr("no times of a kernel alone"));
    refuses({"--device", "first"}, HasSubstr("redtune devices"));
    EXPECT_TRUE(bench_.problems.empty()) << "nothing is measured before all is understood";
}

TEST(LadderCommandAlone, SaysThatItNeedsAGpu) {
    if (!gpu::list_devices().empty()) GTEST_SKIP() << "there is a GPU";
    const auto ladder = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "ladder");
        run_command([](CLI::App& app, int& exit_code) { add_ladder_command(app, exit_code); }, arguments);
    };
    const auto message = AllOf(HasSubstr("needs a GPU"), HasSubstr(gpu::why_no_device()), HasSubstr("redtune doctor"));
    EXPECT_THAT([&] { ladder({}); }, ThrowsMessage<DeviceError>(message));
    EXPECT_THAT([&] { ladder({"--device", "1"}); }, ThrowsMessage<DeviceError>(message));
    EXPECT_THAT(
        [&] {
            ladder({"--size", "many"});
        },
        ThrowsMessage<InputError>(HasSubstr("Sizes are")))
        << "wrong input is refused first";
}

}  // namespace
}  // namespace redtune::cli
