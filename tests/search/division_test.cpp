#include "tuner/search/division.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

namespace redtune::search {
namespace {

using ::testing::ElementsAreArray;

class DivisionTest : public ::testing::Test {
  protected:
    /// Runs a function in a thread for each unit, with the turn.
    void run(std::size_t units, const std::function<void(std::size_t unit, Division::Member& member)>& work) {
        Division division(units, [this] { return stop_.load(); });
        std::vector<std::thread> threads;
        for (std::size_t unit = 0; unit < units; ++unit) {
            threads.emplace_back([&, unit] {
                std::unique_lock turn(turn_);
                Division::Member member(division, turn);
                try {
                    work(unit, member);
                } catch (const std::runtime_error&) {
                    ++lost_;
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
    }

    /// Gives the turn away until a condition is true.
    void await(const std::function<bool()>& condition) {
        while (!condition()) {
            turn_.unlock();
            std::this_thread::yield();
            turn_.lock();
        }
    }

    /// As await(), but gives up after 10 s, so that a test fails instead of hanging.
    void await_or_give_up(const std::function<bool()>& condition) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        await([&] { return condition() || std::chrono::steady_clock::now() > limit; });
    }

    static std::vector<CellKey> cells(std::size_t count) {
        std::vector<CellKey> cells;
        for (std::size_t i = 0; i < count; ++i) cells.emplace_back(i, Regime::cold);
        return cells;
    }

    /// Steps that note what they do. Nothing is decided at the beginning.
    CellSteps noting(std::size_t unit) {
        return {[](const CellKey&) { return false; },
                [this, unit](const CellKey& cell) {
                    decided_.insert({cell.first, unit});
                },
                [this, unit](const CellKey& cell) {
                    confirmed_.insert({cell.first, unit});
                }};
    }

    std::mutex turn_;
    std::atomic<bool> stop_ = false;
    std::size_t lost_ = 0;
    std::set<std::pair<std::uint64_t, std::size_t>> decided_;    // cell and unit
    std::set<std::pair<std::uint64_t, std::size_t>> confirmed_;  // cell and unit
};

TEST_F(DivisionTest, OneUnitDecidesEachCellAndAllOthersConfirmIt) {
    run(3, [&](std::size_t unit, Division::Member& member) { member.divide("list", cells(20), noting(unit)); });
    EXPECT_EQ(decided_.size(), 20U);
    EXPECT_EQ(confirmed_.size(), 40U);
    for (const auto& each : decided_) EXPECT_FALSE(confirmed_.contains(each));
}

TEST_F(DivisionTest, OneUnitAloneDecidesTheCellsInTheirOrder) {
    std::vector<CellKey> order;
    run(1, [&](std::size_t unit, Division::Member& member) {
        CellSteps steps = noting(unit);
        steps.decide = [&](const CellKey& cell) { order.push_back(cell); };
        member.divide("list", cells(5), steps);
    });
    EXPECT_THAT(order, ElementsAreArray(cells(5)));
    EXPECT_TRUE(confirmed_.empty());
}

TEST_F(DivisionTest, WhatOneUnitHasDecidedBeforeIsOnlyConfirmedByTheOthers) {
    run(2, [&](std::size_t unit, Division::Member& member) {
        CellSteps steps = noting(unit);
        steps.is_decided = [unit](const CellKey& cell) { return unit == 0 && cell.first < 3; };
        member.divide("list", cells(4), steps);
    });
    EXPECT_EQ(decided_.size(), 1U);
    for (const std::uint64_t cell : {0, 1, 2}) EXPECT_TRUE(confirmed_.contains({cell, 1}));
    EXPECT_EQ(confirmed_.size(), 4U);
}

TEST_F(DivisionTest, AnotherUnitTakesWhatALostUnitHadInHand) {
    bool has_one_in_hand = false;
    run(2, [&](std::size_t unit, Division::Member& member) {
        CellSteps steps = noting(unit);
        if (unit == 0) {
            steps.decide = [&](const CellKey&) {
                has_one_in_hand = true;
                await([&] { return decided_.size() == 5; });
                throw std::runtime_error("lost");
            };
        } else {
            steps.decide = [&](const CellKey& cell) {
                await([&] { return has_one_in_hand; });
                decided_.insert({cell.first, unit});
            };
        }
        member.divide("list", cells(6), steps);
    });
    EXPECT_EQ(lost_, 1U);
    EXPECT_EQ(decided_.size(), 6U);
    EXPECT_TRUE(confirmed_.empty());
}

TEST_F(DivisionTest, ALostUnitIsNotWaitedFor) {
    run(3, [&](std::size_t unit, Division::Member& member) {
        member.meet();
        if (unit == 1) throw std::runtime_error("lost");
        member.meet();
        member.divide("list", cells(2), noting(unit));
    });
    EXPECT_EQ(lost_, 1U);
    EXPECT_EQ(decided_.size(), 2U);
}

TEST_F(DivisionTest, NobodyIsAheadOfAMeeting) {
    std::size_t arrived = 0;
    run(4, [&](std::size_t, Division::Member& member) {
        for (std::size_t i = 1; i <= 10; ++i) {
            ++arrived;
            member.meet();
            EXPECT_GE(arrived, 4 * i);
        }
    });
}

TEST_F(DivisionTest, StoppingEndsEveryWait) {
    run(2, [&](std::size_t unit, Division::Member& member) {
        if (unit == 0) {
            stop_ = true;
            return;
        }
        member.meet();
        member.divide("list", cells(3), noting(unit));
    });
    EXPECT_TRUE(decided_.empty());
}

TEST_F(DivisionTest, ListsThatDifferEndEachForItself) {
    run(2, [&](std::size_t unit, Division::Member& member) {
        member.divide("list", cells(unit == 0 ? 2 : 5), noting(unit));
        member.divide("next", cells(1), noting(unit));
    });
    std::set<std::uint64_t> decided;
    for (const auto& [cell, unit] : decided_) decided.insert(cell);
    EXPECT_EQ(decided.size(), 5U);
}

TEST_F(DivisionTest, TheShareOfEachUnitIsRoundedUp) {
    run(1, [&](std::size_t unit, Division::Member& member) {
        CellSteps steps = noting(unit);
        std::vector<std::size_t> shares;
        steps.decide = [&](const CellKey&) { shares.push_back(member.share_left("list")); };
        member.divide("list", cells(3), steps);
        EXPECT_THAT(shares, ::testing::ElementsAre(3, 2, 1));
        EXPECT_EQ(member.share_left("list"), 0U);
        EXPECT_EQ(member.share_left("no such list"), 0U);
    });
}

/// Runs a function in two helpers of each unit, which begins the list of these cells first.
class HelpersTest : public DivisionTest {
  protected:
    void run_helpers(std::size_t units, std::size_t count,
                     const std::function<void(std::size_t unit, Division::Member& helper)>& work,
                     const std::function<bool(std::size_t unit, const CellKey&)>& is_decided = {}) {
        run(units, [&](std::size_t unit, Division::Member& member) {
            member.begin("list", cells(count),
                         [&](const CellKey& cell) { return is_decided && is_decided(unit, cell); });
            std::vector<std::thread> threads;
            std::atomic<bool> is_lost = false;
            for (int i = 0; i < 2; ++i) {
                threads.emplace_back([&] {
                    std::unique_lock turn(turn_);
                    Division::Member helper(member, turn, [&] { return is_lost.load(); });
                    try {
                        work(unit, helper);
                    } catch (const std::runtime_error&) {
                        is_lost = true;
                    }
                });
            }
            turn_.unlock();
            for (std::thread& thread : threads) thread.join();
            turn_.lock();
            if (is_lost) throw std::runtime_error("lost");
        });
    }
};

TEST_F(HelpersTest, AUnitConfirmsEachCellOnceAndNoneThatOneOfItsHelpersHasDecided) {
    std::vector<std::pair<std::uint64_t, std::size_t>> confirmed;
    run_helpers(3, 20, [&](std::size_t unit, Division::Member& helper) {
        CellSteps steps = noting(unit);
        steps.confirm = [&](const CellKey& cell) {
            confirmed.emplace_back(cell.first, unit);
            turn_.unlock();
            std::this_thread::yield();
            turn_.lock();
        };
        helper.divide("list", cells(20), steps);
    });
    EXPECT_EQ(decided_.size(), 20U);
    EXPECT_EQ(confirmed.size(), 40U);
    for (const auto& each : confirmed) EXPECT_FALSE(decided_.contains(each));
}

TEST_F(HelpersTest, AUnitThatHasMoreWorkInHandThanAnotherTakesNoFurtherCell) {
    std::size_t unit_of_large = 2;
    run_helpers(2, 8, [&](std::size_t unit, Division::Member& helper) {
        CellSteps steps = noting(unit);
        steps.work_left = [](const CellKey& cell) { return cell.first == 0 ? 10 : 1; };
        steps.decide = [&, unit](const CellKey& cell) {
            if (cell.first == 0) {
                unit_of_large = unit;
                await([&] { return decided_.size() == 7; });
            } else {
                decided_.insert({cell.first, unit});
            }
        };
        helper.divide("list", cells(8), steps);
    });
    for (const auto& [cell, unit] : decided_) EXPECT_NE(unit, unit_of_large) << cell;
}

TEST_F(HelpersTest, ACellThatAUnitHasDecidedDoesNotKeepItFromTakingOthers) {
    std::set<std::uint64_t> begun;
    bool have_all_begun = false;
    // One unit takes the large cell 0 and the other one 1 and 2. When 0 is decided, its unit takes 3 and 4 before any
    // other cell is decided.
    run_helpers(2, 5, [&](std::size_t unit, Division::Member& helper) {
        CellSteps steps = noting(unit);
        steps.work_left = [](const CellKey& cell) { return cell.first == 0 ? 10 : 1; };
        steps.decide = [&](const CellKey& cell) {
            begun.insert(cell.first);
            const std::size_t awaited = cell.first == 0 ? 3 : 5;
            await_or_give_up([&] { return begun.size() >= awaited; });
            have_all_begun = have_all_begun || begun.size() == 5;
            if (cell.first != 0) EXPECT_TRUE(have_all_begun) << cell.first;
        };
        helper.divide("list", cells(5), steps);
    });
    EXPECT_TRUE(have_all_begun);
}

TEST_F(HelpersTest, OnlyTheWorkThatIsLeftOfACellCounts) {
    double left_of_large = 10;
    bool has_taken_both = false;
    std::map<std::uint64_t, std::size_t> units;
    run_helpers(2, 4, [&](std::size_t unit, Division::Member& helper) {
        CellSteps steps = noting(unit);
        steps.work_left = [&](const CellKey& cell) { return cell.first == 0 ? left_of_large : 1; };
        steps.decide = [&, unit](const CellKey& cell) {
            units[cell.first] = unit;
            await_or_give_up([&] {
                if (units.size() == 3) left_of_large = 0.5;  // one unit has taken cell 0, the other one 1 and 2
                return units.size() == 4;
            });
            if (cell.first == 0) has_taken_both = units.size() == 4 && units[0] == units[3];
        };
        helper.divide("list", cells(4), steps);
    });
    EXPECT_TRUE(has_taken_both) << "cell 3 was not taken beside the large one";
}

TEST_F(DivisionTest, AUnitThatHasNothingInHandTakesACellHoweverMuchWorkItIs) {
    run(2, [&](std::size_t unit, Division::Member& member) {
        CellSteps steps = noting(unit);
        const auto decide = steps.decide;
        steps.work_left = [](const CellKey& cell) { return static_cast<double>(cell.first); };
        steps.decide = [&, decide](const CellKey& cell) {
            if (cell.first == 0) await([&] { return decided_.size() == 5; });
            decide(cell);
        };
        member.divide("list", cells(6), steps);
    });
    EXPECT_EQ(decided_.size(), 6U);
}

TEST_F(HelpersTest, NoHelperTakesWhatAnotherUnitHasDecidedBefore) {
    run_helpers(
        2, 6, [&](std::size_t unit, Division::Member& helper) { helper.divide("list", cells(6), noting(unit)); },
        [](std::size_t unit, const CellKey& cell) { return unit == 1 && cell.first != 0; });
    EXPECT_EQ(decided_.size(), 1U);
    for (std::uint64_t cell = 1; cell < 6; ++cell) EXPECT_TRUE(confirmed_.contains({cell, 0}));
}

TEST_F(HelpersTest, OtherUnitsTakeWhatTheHelpersOfALostUnitHadInHand) {
    bool has_failed = false;
    run_helpers(2, 8, [&](std::size_t unit, Division::Member& helper) {
        CellSteps steps = noting(unit);
        steps.decide = [&, unit](const CellKey& cell) {
            if (unit == 0) {
                has_failed = true;
                throw std::runtime_error("lost");
            }
            await([&] { return has_failed; });
            decided_.insert({cell.first, unit});
        };
        helper.divide("list", cells(8), steps);
    });
    EXPECT_EQ(lost_, 1U);
    EXPECT_EQ(decided_.size(), 8U);
}

TEST_F(HelpersTest, TheShareIsThatOfAHelper) {
    run_helpers(2, 40, [&](std::size_t, Division::Member& helper) {
        // Helpers that begin late find the share of those that have begun.
        await([&] { return stop_ || helper.share_left("list") == 10; });
        stop_ = true;
    });
    EXPECT_TRUE(stop_);
}

TEST_F(DivisionTest, ALimitHoldsForAllUnitsTogether) {
    std::size_t taken = 0;
    run(3, [&](std::size_t, Division::Member& member) {
        for (int i = 0; i < 5; ++i) taken += member.take_one_of("few", 4);
    });
    EXPECT_EQ(taken, 4U);
}

}  // namespace
}  // namespace redtune::search
