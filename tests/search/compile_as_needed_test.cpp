// Tests which kernels a sweep compiles, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

using testing::IsEmpty;

/// More candidates than a search with little effort screens. The lower bound of those with blocks_per_sm = 1 is high.
constexpr const char* prunable_front_matter = R"(/*redtune
family = "wide"
[compile]
block = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512,
         544, 576, 608, 640, 672, 704, 736, 768, 800, 832, 864, 896, 928, 960, 992, 1024]
unroll = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
[launch]
blocks_per_sm = [1, 2, 4, 8]
[derived]
tile = "32"
grid = "'blocks_per_sm'"
BYTES
*/)";

constexpr std::size_t all_prunable = 2048;

class CompileAsNeededTest : public SweepTest {
  protected:
    CompileAsNeededTest() {
        use_family("");
        request_.effort = Effort::quick;
        executor_.time_us = [this](const Trial& trial, std::uint64_t, Regime) {
            if (prepared_first_ == 0) prepared_first_ = executor_.prepared_names.size();
            return 1 + std::abs(static_cast<double>(trial.rule.block) - 128) / 256;
        };
    }

    /// @param bytes_in_flight a line of the front matter
    void use_family(const std::string& bytes_in_flight) {
        std::string text = prunable_front_matter;
        text.replace(text.find("BYTES"), 5, bytes_in_flight);
        families_ = parse_families("wide.cuh", text);
        families_[0].code_hash = "hash";
    }

    SweepResult run() { return Sweep(executor_, store_, families_, request_).run({}, stop_); }

    SweepRequest request_{make_problem("sum", Type::f32), {1 << 18, 1 << 19, 1 << 20}, {Regime::cold}, true, "test"};
    std::size_t prepared_first_ = 0;  ///< number of configurations that were prepared before the first measurement
};

TEST_F(CompileAsNeededTest, OnlyWhatIsScreenedIsCompiled) {
    run();
    EXPECT_EQ(executor_.prepared_names, executor_.measured_names);
    EXPECT_THAT(executor_.not_prepared, IsEmpty()) << "nothing compiles while a time is taken";
    EXPECT_LT(executor_.prepared_names.size(), all_prunable);
    EXPECT_LT(prepared_first_, most_screenings(Effort::quick)) << "the rest is compiled when it is asked for";
}

TEST_F(CompileAsNeededTest, SizesBetweenAndChecksCompileAsNeededToo) {
    request_.between = 3;
    request_.checks = 2;
    run();
    EXPECT_EQ(executor_.prepared_names, executor_.measured_names);
    EXPECT_THAT(executor_.not_prepared, IsEmpty());
}

TEST_F(CompileAsNeededTest, WhatIsPrunedIsNotCompiled) {
    use_family("bytes_in_flight = \"iif(blocks_per_sm = 1, 32, 65536)\"");
    request_.sizes = {1 << 20};
    request_.effort = Effort::thorough;
    run();
    EXPECT_THAT(executor_.not_prepared, IsEmpty());
    // All but those of the first batch, when no time is known yet.
    EXPECT_LE(executor_.prepared_names.size(), executor_.measured_names.size() + prepared_first_);
    EXPECT_LT(executor_.prepared_names.size(), all_prunable);
}

TEST_F(CompileAsNeededTest, AnInterruptedSearchCompilesTheRestOnly) {
    executor_.stop = &stop_;
    executor_.stop_after = 30;
    run();
    const std::set<std::string> before = std::exchange(executor_.measured_names, {});
    stop_ = false;
    executor_.stop_after = 0;
    executor_.prepared_names.clear();
    run();
    EXPECT_EQ(executor_.prepared_names, executor_.measured_names);
    EXPECT_THAT(executor_.not_prepared, IsEmpty());
}

TEST_F(CompileAsNeededTest, ATimeBudgetCompilesAsNeededWithAnyEffort) {
    request_.effort = Effort::exhaustive;
    request_.budget = std::chrono::seconds(0);
    run();
    EXPECT_THAT(executor_.not_prepared, IsEmpty());
    EXPECT_LT(executor_.prepared_names.size(), all_prunable);
}

TEST_F(CompileAsNeededTest, ExhaustiveEffortCompilesEverythingFirst) {
    request_.effort = Effort::exhaustive;
    run();
    EXPECT_EQ(prepared_first_, all_prunable);
}

TEST_F(CompileAsNeededTest, ManySizesNeedMostKernelsSoAllAreCompiledFirst) {
    for (std::uint64_t n = 1 << 10; n < 1 << 18; n *= 2) request_.sizes.push_back(n);
    run();
    EXPECT_EQ(prepared_first_, all_prunable);
}

TEST_F(CompileAsNeededTest, BesideOtherGpusEverythingIsCompiledFirst) {
    request_.gpus = 2;
    run();
    EXPECT_EQ(prepared_first_, all_prunable) << "a compilation would disturb the other GPUs' measurements";
}

TEST_F(CompileAsNeededTest, ThePlanLimitsTheKernels) {
    request_.sizes = {1 << 20};
    const auto plan = [&] { return Sweep(executor_, store_, families_, request_).plan(); };
    EXPECT_EQ(plan().compiles, most_screenings(Effort::quick)) << "one for each screening at most";
    EXPECT_EQ(plan().compile_s, 0) << "nothing is compiled before the first measurement";
    run();
    EXPECT_EQ(plan().compiles, 0U);
    EXPECT_EQ(plan().estimate_s, 0);
    request_.effort = Effort::standard;
    EXPECT_LE(plan().compiles, most_screenings(Effort::standard));
    request_.effort = Effort::exhaustive;
    EXPECT_GT(plan().compile_s, 0);
}

}  // namespace
}  // namespace redtune::search
