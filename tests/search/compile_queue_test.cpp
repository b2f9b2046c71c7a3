#include "tuner/search/compile_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "tests/search/grid_trials.h"
#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

using testing::ElementsAre;

/// The names of the trials that all compilers of a test have compiled, in this order.
struct Compiled {
    std::mutex mutex;
    std::vector<std::string> names;
    std::vector<std::size_t> jobs;  ///< numbers of trials that were compiled at a time

    std::vector<std::string> get() {
        const std::lock_guard lock(mutex);
        return names;
    }
};

/// A compiler that calls a function for each call of prepare().
class ScriptedCompiler : public FakeExecutor {
  public:
    ScriptedCompiler(Compiled& compiled, std::function<void()> script)
        : compiled_(compiled), script_(std::move(script)) {}

    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>&) override {
        script_();
        const std::lock_guard lock(compiled_.mutex);
        compiled_.jobs.push_back(trials.size());
        for (const Trial& trial : trials) compiled_.names.push_back(to_string(trial.configuration));
        progress({trials.size(), trials.size(), 0, 0});
    }

  private:
    Compiled& compiled_;
    std::function<void()> script_;
};

constexpr CellKey planned_cell{3, Regime::cold};
constexpr CellKey first_cell{1, Regime::cold};
constexpr CellKey second_cell{2, Regime::cold};

class CompileQueueTest : public GridTrials {
  protected:
    ~CompileQueueTest() override { end(); }

    /// Starts a compiler in a thread. @param script called before each compilation
    void start_compiler(
        std::function<void()> script = [] {}, CompileQueue::NextAhead ahead = [] { return nullptr; }) {
        start(std::make_unique<ScriptedCompiler>(compiled_, std::move(script)), std::move(ahead));
    }

    /// Starts a compiler in a thread.
    void start(
        std::unique_ptr<Executor> executor, CompileQueue::NextAhead ahead = [] { return nullptr; }) {
        auto compiler = std::make_unique<CompileQueue::Compiler>(queue_, std::move(executor));
        threads_.emplace_back([this, compiler = std::move(compiler), ahead = std::move(ahead)]() mutable {
            compiler->run(
                ahead, [this](const PrepareProgress& progress) { reported_ += progress.done; }, stop_);
            compiler.reset();
        });
    }

    /// Ends all compilers, once.
    void end() {
        stop_ = true;
        queue_.wake();
        for (std::thread& thread : std::exchange(threads_, {})) thread.join();
    }

    std::span<const Trial> all() const { return trials_; }
    bool has_compiled(std::size_t i) const { return queue_.has_compiled(queue_.kernels_of(trials_[i])); }

    CompileQueue queue_{families_, std::vector{planned_cell}};
    Compiled compiled_;
    std::atomic<std::size_t> reported_ = 0;
    std::atomic<bool> stop_ = false;
    std::vector<std::thread> threads_;
};

TEST_F(CompileQueueTest, WhoWaitsGetsWhatItWaitsFor) {
    start_compiler();
    EXPECT_FALSE(has_compiled(0));
    EXPECT_TRUE(queue_.wait_for(all().first(3), first_cell));
    EXPECT_TRUE(has_compiled(0));
    EXPECT_TRUE(has_compiled(2));
    EXPECT_FALSE(has_compiled(3));
    end();
    EXPECT_THAT(compiled_.get(), ElementsAre(name(0), name(1), name(2)));
    EXPECT_EQ(reported_, 3U);
}

TEST_F(CompileQueueTest, EachKernelIsCompiledOnceHoweverManyWaitForIt) {
    start_compiler();
    start_compiler();
    std::vector<std::thread> waiting;
    for (int i = 0; i < 4; ++i) {
        waiting.emplace_back([this, i] { queue_.wait_for(all(), i % 2 == 0 ? first_cell : second_cell); });
    }
    for (std::thread& thread : waiting) thread.join();
    queue_.wait_for(std::vector{trials_[0], trials_[0]}, std::nullopt);
    const std::vector<std::string> compiled = compiled_.get();
    EXPECT_EQ(compiled.size(), trials_.size());
    EXPECT_EQ(std::set(compiled.begin(), compiled.end()).size(), trials_.size());
}

TEST_F(CompileQueueTest, TheCellThatBeganFirstComesFirst) {
    // There is no compiler yet, so nobody waits.
    queue_.wait_for(all().first(1), first_cell);
    queue_.wait_for(all().subspan(1, 3), second_cell);
    queue_.wait_for(all().subspan(4, 2), first_cell);
    start_compiler();
    queue_.wait_for(all().first(6), second_cell);
    EXPECT_THAT(compiled_.get(), ElementsAre(name(0), name(4), name(5), name(1), name(2), name(3)));
}

TEST_F(CompileQueueTest, APlannedCellComesFirstThoughAnotherAskedBefore) {
    queue_.wait_for(all().first(2), first_cell);
    queue_.wait_for(all().subspan(2, 2), planned_cell);
    start_compiler();
    queue_.wait_for(all().first(4), second_cell);
    EXPECT_THAT(compiled_.get(), ElementsAre(name(2), name(3), name(0), name(1)));
}

/// A compiler whose warm-up calls a function.
class ColdCompiler final : public ScriptedCompiler {
  public:
    ColdCompiler(Compiled& compiled, std::function<void()> warm_up)
        : ScriptedCompiler(compiled, [] {}), warm_up_(std::move(warm_up)) {}
    void warm_up() override { warm_up_(); }

  private:
    std::function<void()> warm_up_;
};

TEST_F(CompileQueueTest, ACompilerTakesKernelsWhenItIsWarm) {
    queue_.wait_for(all().first(2), first_cell);
    std::promise<void> is_warm;
    start(std::make_unique<ColdCompiler>(compiled_, [&] { is_warm.get_future().wait(); }));
    auto planned = std::async(std::launch::async, [&] { queue_.wait_for(all().subspan(2, 2), planned_cell); });
    while (!queue_.has(queue_.kernels_of(trials_[2]))) std::this_thread::yield();
    is_warm.set_value();
    planned.get();
    queue_.wait_for(all().first(2), first_cell);
    EXPECT_THAT(compiled_.get(), ElementsAre(name(2), name(3), name(0), name(1)));
}

TEST_F(CompileQueueTest, ACompilerThatCannotBeWarmedUpHoldsNobodyUp) {
    start(std::make_unique<ColdCompiler>(compiled_, [] { throw Error("no process can be started"); }));
    EXPECT_FALSE(queue_.wait_for(all(), first_cell));
}

TEST_F(CompileQueueTest, WhatSeveralCellsWaitForComesWithTheFirstOfThem) {
    queue_.wait_for(all().first(1), first_cell);
    queue_.wait_for(all().subspan(1, 3), second_cell);
    queue_.wait_for(all().subspan(2, 1), first_cell);
    start_compiler();
    queue_.wait_for(all().first(4), second_cell);
    EXPECT_THAT(compiled_.get(), ElementsAre(name(0), name(2), name(1), name(3)));
}

TEST_F(CompileQueueTest, IfManyWaitTwoOfAFileAreCompiledTogether) {
    start_compiler();
    queue_.wait_for(all(), first_cell);
    end();
    EXPECT_THAT(compiled_.jobs, ElementsAre(4, 4, 2, 1));
}

TEST_F(CompileQueueTest, WhatNobodyNeedsAnyMoreLeavesTheQueue) {
    queue_.wait_for(all().first(2), first_cell);
    const std::atomic<bool> is_enough = true;
    EXPECT_FALSE(queue_.wait_for(all().subspan(2, 2), second_cell, &is_enough));
    start_compiler();
    EXPECT_TRUE(queue_.wait_for(all().first(2), first_cell));
    end();
    EXPECT_THAT(compiled_.get(), ElementsAre(name(0), name(1)));
}

TEST_F(CompileQueueTest, WhatAnotherCellWaitsForStaysInTheQueue) {
    std::promise<void> go_on;
    std::promise<void> has_begun;
    start_compiler([&, calls = 0]() mutable {
        if (calls++ != 0) return;
        has_begun.set_value();
        go_on.get_future().wait();
    });
    std::thread first([&] { queue_.wait_for(all().first(1), first_cell); });
    has_begun.get_future().wait();
    std::atomic<bool> is_enough = false;
    auto other = std::async(std::launch::async, [&] { return queue_.wait_for(all().subspan(2, 2), second_cell); });
    auto impatient =
        std::async(std::launch::async, [&] { return queue_.wait_for(all().subspan(2, 2), first_cell, &is_enough); });
    is_enough = true;
    queue_.wake();
    EXPECT_FALSE(impatient.get());
    go_on.set_value();
    EXPECT_TRUE(other.get());
    first.join();
}

TEST_F(CompileQueueTest, WhatAStoppedCompilerHasTakenGoesToAnotherOne) {
    /// Waits for the flag and compiles nothing, as one whose process is killed.
    class StoppedCompiler final : public FakeExecutor {
      public:
        explicit StoppedCompiler(std::promise<void>& has_begun) : has_begun_(has_begun) {}
        void prepare(std::span<const Trial>, const std::function<void(const PrepareProgress&)>&,
                     const std::atomic<bool>& stop) override {
            has_begun_.set_value();
            while (!stop) std::this_thread::yield();
        }

      private:
        std::promise<void>& has_begun_;
    };
    std::promise<void> has_begun;
    std::atomic<bool> is_over = false;
    auto compiler = std::make_unique<CompileQueue::Compiler>(queue_, std::make_unique<StoppedCompiler>(has_begun));
    std::thread compiling([&] { compiler->run([] { return nullptr; }, [](const PrepareProgress&) {}, is_over); });
    auto waiting = std::async(std::launch::async, [&] { return queue_.wait_for(all().first(2), first_cell); });
    has_begun.get_future().wait();
    start_compiler();
    is_over = true;
    EXPECT_TRUE(waiting.get()) << "not left to the executor that measures";
    compiling.join();
    compiler.reset();
    EXPECT_EQ(compiled_.get().size(), 2U);
}

TEST_F(CompileQueueTest, WhatWillBeNeededIsCompiledWhenNobodyWaits) {
    std::size_t next = 0;
    bool has_ended = false;
    std::promise<void> end_of_list;
    start_compiler([] {},
                   [&]() -> const Trial* {
                       if (next < trials_.size()) return &trials_[next++];
                       if (!std::exchange(has_ended, true)) end_of_list.set_value();
                       return nullptr;
                   });
    end_of_list.get_future().wait();
    queue_.wait_for(all(), first_cell);
    EXPECT_EQ(compiled_.get().size(), trials_.size());
    end();
}

TEST_F(CompileQueueTest, WithoutACompilerNobodyWaits) {
    EXPECT_FALSE(queue_.wait_for(all(), first_cell));
    EXPECT_FALSE(has_compiled(0)) << "the executor that measures compiles it";
}

TEST_F(CompileQueueTest, CompilersThatFailHoldNobodyUp) {
    start_compiler([] { throw Error("no NVRTC"); });
    EXPECT_FALSE(queue_.wait_for(all(), first_cell));
    EXPECT_TRUE(compiled_.get().empty()) << "the executor that measures compiles what is left";
}

TEST_F(CompileQueueTest, ACompilerThatFailsLeavesOnlyItsKernels) {
    int call = 0;
    start_compiler([&call] {
        if (++call == 2) throw Error("killed");
    });
    EXPECT_TRUE(queue_.wait_for(all().first(2), first_cell));
    EXPECT_FALSE(queue_.wait_for(all().subspan(2, 2), first_cell));
    EXPECT_TRUE(queue_.wait_for(all().first(2), second_cell)) << "they are in the cache";
}

TEST_F(CompileQueueTest, WhatACompilerDoesNotReportDoneIsLeft) {
    class SilentCompiler final : public FakeExecutor {};  // as one whose processes died
    start(std::make_unique<SilentCompiler>());
    EXPECT_FALSE(queue_.wait_for(all().first(2), first_cell));
}

TEST_F(CompileQueueTest, TheNumberOfCompilationsChangesWithThem) {
    start_compiler();
    const std::size_t before = queue_.compilations();
    queue_.wait_for(all().first(1), first_cell);
    const std::size_t after = queue_.compilations();
    EXPECT_NE(after, before);
    queue_.wait_for(all().first(1), first_cell);
    EXPECT_EQ(queue_.compilations(), after);
}

}  // namespace
}  // namespace redtune::search
