#include "tuner/search/choose.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace redtune::search {
namespace {

Measurement measurement_with_samples(std::vector<double> samples, Status status = Status::ok) {
    Measurement measurement;
    measurement.status = status;
    measurement.samples_us = std::move(samples);
    summarise(measurement);
    return measurement;
}

Measurement measurement_with_equal_samples(double us, Status status = Status::ok) {
    return measurement_with_samples(std::vector<double>(24, us), status);
}

TEST(NearBest, KeepsWhatIsCloseBestFirst) {
    const std::vector<Measurement> all = {measurement_with_equal_samples(1.04), measurement_with_equal_samples(1.0),
                                          measurement_with_equal_samples(1.06), measurement_with_equal_samples(1.02)};
    EXPECT_EQ(near_best(all, 0.05, 10), (std::vector<std::size_t>{1, 3, 0}));
    EXPECT_EQ(near_best(all, 0.05, 2), (std::vector<std::size_t>{1, 3}));
}

TEST(NearBest, OnlyOkCounts) {
    const std::vector<Measurement> all = {measurement_with_equal_samples(0.1, Status::wrong),
                                          measurement_with_equal_samples(0.2, Status::implausible),
                                          measurement_with_equal_samples(1)};
    EXPECT_EQ(near_best(all, 0.05, 10), (std::vector<std::size_t>{2}));
    EXPECT_TRUE(near_best({}, 0.05, 10).empty());
}

TEST(Choose, TheFasterWins) {
    const std::vector<Measurement> finalists = {measurement_with_equal_samples(1.02),
                                                measurement_with_equal_samples(1.0)};
    const auto choice = choose(finalists, std::vector<Simplicity>{{true, 10}, {true, 90}});
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->winner, 1U);
    EXPECT_EQ(choice->decided_by, "time");
    EXPECT_NEAR(*choice->runner_up_ratio, 1.02, 1e-12);
}

TEST(Choose, ATieGoesToTheSimpler) {
    const std::vector<Measurement> finalists = {measurement_with_equal_samples(1.0),
                                                measurement_with_equal_samples(1.004),
                                                measurement_with_equal_samples(1.003)};
    auto choice = choose(finalists, std::vector<Simplicity>{{true, 40}, {true, 30}, {true, 32}});
    EXPECT_EQ(choice->winner, 1U);
    EXPECT_EQ(choice->decided_by, "simplicity");
    choice = choose(finalists, std::vector<Simplicity>{{false, 40}, {false, 30}, {true, 90}});
    EXPECT_EQ(choice->winner, 2U) << "deterministic comes before registers";
    choice = choose(finalists, std::vector<Simplicity>{{true, 40}, {true, 40}, {true, 40}});
    EXPECT_EQ(choice->winner, 0U) << "the first of equals";
}

TEST(Choose, NoiseThatReachesOneIsATie) {
    std::vector<double> noisy, best;
    for (int i = 0; i < 24; ++i) {
        best.push_back(1.0);
        noisy.push_back(i % 2 == 0 ? 0.95 : 1.07);
    }
    const std::vector<Measurement> finalists = {measurement_with_samples(best), measurement_with_samples(noisy)};
    EXPECT_EQ(choose(finalists, std::vector<Simplicity>{{true, 40}, {true, 30}})->winner, 1U);
}

TEST(Choose, NobodyWinsWithoutAnOkFinalist) {
    EXPECT_FALSE(choose(std::vector<Measurement>{measurement_with_equal_samples(1, Status::throttled)},
                        std::vector<Simplicity>{{}}));
    EXPECT_FALSE(choose({}, {}));
}

TEST(Choose, OneFinalistHasNoRunnerUp) {
    const auto choice =
        choose(std::vector<Measurement>{measurement_with_equal_samples(1)}, std::vector<Simplicity>{{}});
    EXPECT_EQ(choice->decided_by, "only candidate");
    EXPECT_FALSE(choice->runner_up_ratio);
}

RC_GTEST_PROP(Choose, TheWinnerIsNeverClearlySlower, ()) {
    const auto times = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(100, 200)));
    std::vector<Measurement> finalists;
    std::vector<Simplicity> simplicity;
    double best = 1e9;
    for (const int time : times) {
        finalists.push_back(measurement_with_equal_samples(time));
        simplicity.push_back({*rc::gen::arbitrary<bool>(), *rc::gen::inRange(16U, 128U)});
        best = std::min<double>(best, time);
    }
    RC_ASSERT(finalists[choose(finalists, simplicity)->winner].median_us <= best * tie_ratio);
}

}  // namespace
}  // namespace redtune::search
