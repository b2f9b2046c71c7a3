#include "tuner/timing/time_account.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace redtune::timing {
namespace {

using Clock = TimeAccount::Clock;
using Span = TimeAccount::Span;

/// Waits until the clock has moved on by a millisecond.
void wait() {
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(1);
    while (Clock::now() < end) {
    }
}

double total(const TimeSpent& spent) {
    double sum = 0;
    for (const double seconds : spent.seconds) sum += seconds;
    return sum;
}

TEST(TimeAccount, AnInnerSpanIsNotPartOfTheOuterOne) {
    TimeAccount account;
    account.start();
    const Clock::time_point begin = Clock::now();
    {
        const Span outer(&account, Activity::screening);
        wait();
        {
            const Span inner(&account, Activity::prepare);
            wait();
        }
        wait();
    }
    const double wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
    const TimeSpent spent = account.take_spent();
    EXPECT_GE(spent[Activity::screening], 0.002);
    EXPECT_GE(spent[Activity::prepare], 0.001);
    EXPECT_LE(total(spent), wall_s);
}

TEST(TimeAccount, TimeBetweenSpansBelongsToNone) {
    TimeAccount account;
    account.start();
    const Clock::time_point begin = Clock::now();
    { const Span span(&account, Activity::check); }
    const double spans_s = std::chrono::duration<double>(Clock::now() - begin).count();
    wait();
    { const Span span(&account, Activity::check); }
    EXPECT_LE(account.take_spent()[Activity::check], spans_s + 0.001);
}

TEST(TimeAccount, NothingIsCountedDuringAPause) {
    TimeAccount account;
    account.start();
    {
        const Span span(&account, Activity::check);
        const TimeAccount::Pause pause(&account);
        { const Span inner(&account, Activity::database); }
        wait();
    }
    {
        const TimeAccount::Pause pause(&account);
        const Span span(&account, Activity::database);
        wait();
    }
    { const TimeAccount::Pause pause(nullptr); }
    const double before_s = total(account.take_spent());
    {
        const Span span(&account, Activity::check);
        wait();
    }
    EXPECT_LT(before_s, 0.001);
    EXPECT_GE(account.take_spent()[Activity::check], 0.001) << "it counts again";
}

TEST(TimeAccount, NothingIsCountedBeforeTheStart) {
    TimeAccount account;
    EXPECT_FALSE(account.started_at());
    const Span outer(&account, Activity::compile);
    wait();
    {
        const Span span(&account, Activity::check);
        wait();
    }
    EXPECT_EQ(total(account.take_spent()), 0);
    account.start();
    const auto started = account.started_at();
    {
        const Span span(&account, Activity::check);
        wait();
    }
    account.start();
    EXPECT_EQ(account.started_at(), started) << "only the first call counts";
    const TimeSpent spent = account.take_spent();
    EXPECT_GE(spent[Activity::check], 0.001);
    EXPECT_LE(total(spent), std::chrono::duration<double>(Clock::now() - *started).count())
        << "of the open span, too, only what comes after the start counts";
}

TEST(TimeAccount, WhatIsTakenIsTakenOnce) {
    TimeAccount account;
    account.start();
    {
        const Span span(&account, Activity::finalist);
        wait();
    }
    EXPECT_GT(total(account.take_spent()), 0);
    EXPECT_EQ(account.take_spent(), TimeSpent{});
}

TEST(TimeAccount, ASpanWithoutAnAccountCountsNothing) {
    const Span span(nullptr, Activity::check);
}

TEST(TimeAccount, TheActivitiesHaveDifferentNamesAndFourKeepTheGpuBusy) {
    std::set<std::string_view> names;
    std::size_t busy = 0;
    for (const Activity activity : all_activities) {
        names.insert(to_string(activity));
        busy += keeps_gpu_busy(activity);
    }
    EXPECT_EQ(names.size(), all_activities.size());
    EXPECT_EQ(names.count("unknown"), 0U);
    EXPECT_EQ(busy, 4U);
    for (const Stage stage : {Stage::screen, Stage::survivor, Stage::final})
        EXPECT_TRUE(keeps_gpu_busy(timing_at(stage)));
}

}  // namespace
}  // namespace redtune::timing
