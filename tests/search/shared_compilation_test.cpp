#include "tuner/search/shared_compilation.h"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <thread>

#include "tests/search/grid_trials.h"
#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

/// A compiler that calls a function for each call of prepare().
class ScriptedCompiler : public FakeExecutor {
  public:
    explicit ScriptedCompiler(std::function<void()> script) : script_(std::move(script)) {}

    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>&,
                 const std::atomic<bool>&) override {
        for (const Trial& trial : trials) compiled.push_back(to_string(trial.configuration));
        script_();
    }

    std::vector<std::string> compiled;

  private:
    std::function<void()> script_;
};

class SharedCompilationTest : public GridTrials {
  protected:
    void prepare(Executor& compiler, std::span<const Trial> trials) { shared_.prepare(compiler, trials, {}, stop_); }

    std::span<const Trial> all() const { return trials_; }

    SharedCompilation shared_{families_};
    std::atomic<bool> stop_ = false;
};

TEST_F(SharedCompilationTest, WhatOneCompilesAnotherWaitsForAndDoesNotCompile) {
    std::promise<void> has_begun;
    std::promise<void> may_end;
    bool has_ended = false;
    ScriptedCompiler first([&] {
        has_begun.set_value();
        may_end.get_future().wait();
        has_ended = true;
    });
    std::thread first_thread([&] { prepare(first, all().first(3)); });
    has_begun.get_future().wait();

    ScriptedCompiler second([&] { may_end.set_value(); });
    prepare(second, all().first(5));
    EXPECT_TRUE(has_ended);
    first_thread.join();
    EXPECT_EQ(first.compiled.size(), 3U);
    EXPECT_EQ(second.compiled, (std::vector{to_string(trials_[3].configuration), to_string(trials_[4].configuration)}));
}

TEST_F(SharedCompilationTest, TrialsOfOneKernelAreCompiledOnce) {
    ScriptedCompiler compiler([] {});
    prepare(compiler, std::vector{trials_[0], trials_[0]});
    prepare(compiler, std::vector{trials_[0]});
    EXPECT_EQ(compiler.compiled.size(), 1U);
}

TEST_F(SharedCompilationTest, KernelsAreCompiledWhenTheirPartHasEnded) {
    EXPECT_FALSE(shared_.has_compiled(trials_[0])) << "nothing was compiled";
    bool was_compiled_meanwhile = true;
    ScriptedCompiler compiler([&] { was_compiled_meanwhile = shared_.has_compiled(trials_[0]); });
    bool is_compiled_at_last_report = false;
    const auto report = [&](const PrepareProgress&) { is_compiled_at_last_report = shared_.has_compiled(trials_[0]); };
    shared_.prepare(compiler, all().first(3), report, stop_);
    EXPECT_FALSE(was_compiled_meanwhile);
    EXPECT_TRUE(is_compiled_at_last_report);
    EXPECT_TRUE(shared_.has_compiled(trials_[2]));
    EXPECT_FALSE(shared_.has_compiled(trials_[3]));
}

TEST_F(SharedCompilationTest, ACompilerThatFailsHoldsNobodyUp) {
    ScriptedCompiler failing([] { throw Error("no NVRTC"); });
    EXPECT_THROW(prepare(failing, all()), Error);
    ScriptedCompiler other([] {});
    prepare(other, all());
    EXPECT_TRUE(other.compiled.empty()) << "the executor that measures compiles what is left";
}

}  // namespace
}  // namespace redtune::search
