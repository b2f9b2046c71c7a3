#include "tuner/report/limit.h"

#include <gtest/gtest.h>

#include "compare/benchmark_context.h"
#include "compare/limit_measurement.h"
#include "tests/support/database_fixture.h"
#include "tuner/timing/constants.h"

namespace redtune::compare {
namespace {

class LimitOnGpu : public ::testing::Test {
  protected:
    /// Measures the limit of a cell as redtune-bench does.
    report::Limit limit(const timing::Cell& cell) {
        const FastestReaders readers =
            find_fastest_readers(context_.timer, probes_, problem_, cell, session_.device().sm_count);
        const std::vector<Measurement> times =
            context_.timer.interleave(limit_subjects(probes_, problem_, cell, readers), cell);
        std::string failure;
        const auto limit = limit_of(times, readers, 1, timing::final_rounds, failure);
        EXPECT_TRUE(limit.has_value()) << failure;
        return limit.value();
    }

    static constexpr std::uint64_t large_n_ = std::uint64_t{64} << 20;
    Problem problem_ = make_problem("sum", Type::f32);
    Session session_;
    db::TemporaryFolder folder_;
    jit::SourceSet sources_ = jit::SourceSet::load();
    jit::CubinCache cache_{folder_ / "cache", std::uint64_t{64} << 20};
    jit::Compiler compiler_{sources_, cache_, session_.device().architecture()};
    BenchmarkContext context_{compiler_, problem_, large_n_ + 1, session_};
    LimitProbes probes_{compiler_};
};

TEST_F(LimitOnGpu, ALoadTakesLongerThanNothingAndAHandOverLongerThanALoad) {
    for (const Regime regime : {Regime::cold, Regime::warm, Regime::back_to_back}) {
        const report::Limit small = limit({4096, regime, 0});
        EXPECT_GT(small.empty_us, 0);
        EXPECT_GT(small.load_us, small.empty_us) << to_string(regime);
        EXPECT_GT(small.handover_us, small.load_us) << to_string(regime);
        ASSERT_TRUE(small.one_block.has_value());
        ASSERT_TRUE(small.grid.has_value());
        EXPECT_GE(small.us(), small.load_us);
    }
}

TEST_F(LimitOnGpu, AReaderOfALargeInputIsAsFastAsTheMemoryAndNoFaster) {
    const report::Limit large = limit({large_n_, Regime::cold, 1});
    EXPECT_FALSE(large.one_block.has_value());
    EXPECT_EQ(large.us(), large.grid->us);
    const double peak_us = static_cast<double>(large_n_ * sizeof(float)) / session_.device().peak_gb_per_s * 1e-3;
    EXPECT_GE(large.us(), peak_us);
    EXPECT_LE(large.us(), 1.5 * peak_us);
}

}  // namespace
}  // namespace redtune::compare
