#include "tuner/search/compiled_trials.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <span>

#include "tests/search/grid_trials.h"
#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

/// A compiler that reports each of its trials as compiled.
class ReportingCompiler final : public FakeExecutor {
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>&) override {
        progress({trials.size(), trials.size(), 0, 0});
    }
};

class CompiledTrialsTest : public GridTrials {
  protected:
    /// Compiles the first trials.
    void compile(std::size_t count) {
        std::atomic<bool> stop = false;
        CompileQueue::Compiler compiler(queue_, std::make_unique<ReportingCompiler>());
        std::size_t next = 0;
        const auto ahead = [&]() -> const Trial* {
            stop = next + 1 == count;
            return &trials_[next++];
        };
        compiler.run(
            ahead, [](const PrepareProgress&) {}, stop);
    }

    CompileQueue queue_{families_};
};

TEST_F(CompiledTrialsTest, FollowTheQueue) {
    CompiledTrials compiled(&queue_, trials_);
    EXPECT_FALSE(compiled.contains(0));
    compile(2);
    EXPECT_TRUE(compiled.contains(0));
    EXPECT_TRUE(compiled.contains(1));
    EXPECT_FALSE(compiled.contains(2));
    compile(4);
    EXPECT_TRUE(compiled.contains(3));
    EXPECT_FALSE(compiled.contains(4));
}

TEST_F(CompiledTrialsTest, WillContainWhatWaitsForACompiler) {
    queue_.wait_for({trials_.data(), 2}, std::nullopt);  // there is no compiler
    CompiledTrials compiled(&queue_, trials_);
    EXPECT_TRUE(compiled.will_contain(1));
    EXPECT_FALSE(compiled.contains(1));
    EXPECT_FALSE(compiled.will_contain(2));
    compile(4);
    EXPECT_TRUE(compiled.contains(1));
    EXPECT_TRUE(compiled.will_contain(2));
}

TEST_F(CompiledTrialsTest, WithoutAQueueNothingIsKnown) {
    CompiledTrials compiled(nullptr, trials_);
    EXPECT_FALSE(compiled.contains(0));
    EXPECT_FALSE(compiled.will_contain(0));
}

}  // namespace
}  // namespace redtune::search
