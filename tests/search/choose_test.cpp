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

/// Chooses among finalists that were measured on one kind of data.
std::optional<Choice> choose_on_one(const std::vector<Measurement>& finalists,
                                    const std::vector<Simplicity>& simplicity) {
    return choose(std::vector<std::vector<Measurement>>{finalists}, simplicity);
}

TEST(NearBest, KeepsMeasurementsCloseToTheBestWithTheBestFirst) {
    const std::vector<Measurement> all = {measurement_with_equal_samples(1.04), measurement_with_equal_samples(1.0),
                                          measurement_with_equal_samples(1.06), measurement_with_equal_samples(1.02)};
    EXPECT_EQ(near_best(all, 0.05, 10), (std::vector<std::size_t>{1, 3, 0}));
    EXPECT_EQ(near_best(all, 0.05, 2), (std::vector<std::size_t>{1, 3}));
}

TEST(NearBest, IgnoresMeasurementsThatAreNotOk) {
    const std::vector<Measurement> all = {measurement_with_equal_samples(0.1, Status::wrong),
                                          measurement_with_equal_samples(0.2, Status::implausible),
                                          measurement_with_equal_samples(1)};
    EXPECT_EQ(near_best(all, 0.05, 10), (std::vector<std::size_t>{2}));
    EXPECT_TRUE(near_best({}, 0.05, 10).empty());
}

TEST(Choose, TheFasterWins) {
    const std::vector<Measurement> finalists = {measurement_with_equal_samples(1.02),
                                                measurement_with_equal_samples(1.0)};
    const auto choice = choose_on_one(finalists, std::vector<Simplicity>{{true, 10}, {true, 90}});
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->winner, 1U);
    EXPECT_EQ(choice->decided_by, "time");
    EXPECT_NEAR(*choice->runner_up_ratio, 1.02, 1e-12);
}

TEST(Choose, ATieGoesToTheSimpler) {
    const std::vector<Measurement> finalists = {measurement_with_equal_samples(1.0),
                                                measurement_with_equal_samples(1.004),
                                                measurement_with_equal_samples(1.003)};
    auto choice = choose_on_one(finalists, std::vector<Simplicity>{{true, 40}, {true, 30}, {true, 32}});
    EXPECT_EQ(choice->winner, 1U);
    EXPECT_EQ(choice->decided_by, "simplicity");
    choice = choose_on_one(finalists, std::vector<Simplicity>{{false, 40}, {false, 30}, {true, 90}});
    EXPECT_EQ(choice->winner, 2U) << "deterministic comes before registers";
    choice = choose_on_one(finalists, std::vector<Simplicity>{{true, 40}, {true, 40}, {true, 40}});
    EXPECT_EQ(choice->winner, 0U) << "the first of equals";
}

TEST(Choose, AnIntervalThatIncludesOneIsATie) {
    std::vector<double> noisy, best;
    for (int i = 0; i < 24; ++i) {
        best.push_back(1.0);
        noisy.push_back(i % 2 == 0 ? 0.95 : 1.07);
    }
    const std::vector<Measurement> finalists = {measurement_with_samples(best), measurement_with_samples(noisy)};
    EXPECT_EQ(choose_on_one(finalists, std::vector<Simplicity>{{true, 40}, {true, 30}})->winner, 1U);
}

TEST(Choose, NobodyWinsWithoutAnOkFinalist) {
    EXPECT_FALSE(choose_on_one(std::vector<Measurement>{measurement_with_equal_samples(1, Status::throttled)},
                               std::vector<Simplicity>{{}}));
    EXPECT_FALSE(choose_on_one({}, {}));
}

TEST(Choose, OneFinalistHasNoRunnerUp) {
    const auto choice =
        choose_on_one(std::vector<Measurement>{measurement_with_equal_samples(1)}, std::vector<Simplicity>{{}});
    EXPECT_EQ(choice->decided_by, "only candidate");
    EXPECT_FALSE(choice->runner_up_ratio);
}

RC_GTEST_PROP(Choose, TheWinnerIsNeverClearlySlower, ()) {
    // No more finalists than a sweep has.
    const auto times =
        *rc::gen::resize(16, rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(100, 200))));
    std::vector<Measurement> finalists;
    std::vector<Simplicity> simplicity;
    double best = 1e9;
    for (const int time : times) {
        finalists.push_back(measurement_with_equal_samples(time));
        simplicity.push_back({*rc::gen::arbitrary<bool>(), *rc::gen::inRange(16U, 128U)});
        best = std::min<double>(best, time);
    }
    RC_ASSERT(finalists[choose_on_one(finalists, simplicity)->winner].median_us <= best * tie_ratio);
}

std::vector<Measurement> measurements_with(const std::vector<double>& times_us) {
    std::vector<Measurement> measurements;
    for (const double us : times_us) measurements.push_back(measurement_with_equal_samples(us));
    return measurements;
}

TEST(ChooseOnData, TheFinalistWithTheLowestWorstRatioWins) {
    const std::vector<std::vector<Measurement>> finalists = {measurements_with({1.0, 1.03, 1.2}),
                                                             measurements_with({2.2, 2.02, 2.0})};
    const auto choice = choose(finalists, std::vector<Simplicity>(3, {true, 40}));
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->winner, 1U) << "it is the best on neither";
    EXPECT_EQ(choice->decided_by, "time");
    ASSERT_EQ(choice->ratios.size(), 2U);
    EXPECT_NEAR(choice->ratios[0], 1.03, 1e-12) << "its cost on the first data";
    EXPECT_NEAR(choice->ratios[1], 1.01, 1e-12);
    EXPECT_NEAR(*choice->runner_up_ratio, 1.1 / 1.03, 1e-12);
}

TEST(ChooseOnData, ATieMustHoldOnEveryKindOfData) {
    const std::vector<Simplicity> simplicity = {{true, 40}, {true, 30}};
    EXPECT_EQ(choose(std::vector{measurements_with({1.0, 1.004}), measurements_with({1.0, 1.004})}, simplicity)->winner,
              1U);
    EXPECT_EQ(choose(std::vector{measurements_with({1.0, 1.004}), measurements_with({1.0, 1.02})}, simplicity)->winner,
              0U);
}

TEST(ChooseOnData, AFinalistThatFailsOnOneKindOfDataCannotWin) {
    std::vector<std::vector<Measurement>> finalists = {measurements_with({1.0, 1.5}), measurements_with({1.0, 1.5})};
    finalists[1][0].status = Status::wrong;
    const auto choice = choose(finalists, std::vector<Simplicity>(2));
    EXPECT_EQ(choice->winner, 1U);
    EXPECT_EQ(choice->ratios, (std::vector<double>{1, 1})) << "compared with finalists that are right";
    finalists[0][1].status = Status::wrong;
    EXPECT_FALSE(choose(finalists, std::vector<Simplicity>(2)));
}

RC_GTEST_PROP(ChooseOnData, NoFinalistIsClearlyBetterOnItsWorstData, ()) {
    const auto count = *rc::gen::inRange<std::size_t>(1, 6);
    const auto kinds = *rc::gen::inRange<std::size_t>(1, 4);
    std::vector<std::vector<Measurement>> finalists(kinds);
    for (auto& on_data : finalists) {
        for (std::size_t i = 0; i < count; ++i) {
            on_data.push_back(measurement_with_equal_samples(*rc::gen::inRange(100, 200)));
        }
    }
    const auto choice = choose(finalists, std::vector<Simplicity>(count));
    const auto worst = [&](std::size_t i) {
        double ratio = 0;
        for (const auto& on_data : finalists) {
            double best = 1e9;
            for (const Measurement& each : on_data) best = std::min(best, each.median_us);
            ratio = std::max(ratio, on_data[i].median_us / best);
        }
        return ratio;
    };
    for (std::size_t i = 0; i < count; ++i) RC_ASSERT(worst(choice->winner) <= worst(i) * tie_ratio);
}

}  // namespace
}  // namespace redtune::search
