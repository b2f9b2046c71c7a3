#include <gtest/gtest.h>

#include <set>

#include "db/space.h"
#include "tests/gpu/loaded_candidates.h"
#include "tuner/bench/checker.h"

namespace redtune {
namespace {

/// Every kernel of every family, at a few grids, on exact values: hard sizes, then whole sizes.
class Families : public ::testing::TestWithParam<Type> {};

TEST_P(Families, EveryKernelIsRight) {
    test_support::LoadedCandidates loaded(make_problem("sum", GetParam()));
    std::size_t checked = 0;
    for (const std::uint64_t n : loaded.sizes({1 << 10, (1 << 16) + 7, 1 << 20, (1 << 22) + 12345})) {
        std::set<std::string> seen;
        for (const search::Trial& trial : loaded.trials(n)) {
            // With a sanitizer every instruction counts: a few of each family then stand for all.
            if (loaded.is_brief() && !seen.insert(loaded.kind(trial)).second) continue;
            const bench::Runnable runnable = loaded.load(trial);
            const std::string name = to_string(trial.candidate.configuration);
            EXPECT_EQ(loaded.checker().check_hard_sizes(runnable).value_or(""), "") << name;
            EXPECT_EQ(loaded.checker().check_size(runnable, n).value_or(""), "") << name << " at " << n;
            ++checked;
        }
    }
    std::printf("%zu candidates checked\n", checked);
    EXPECT_GT(checked, 10U);
}

INSTANTIATE_TEST_SUITE_P(Sum, Families, ::testing::Values(Type::f32, Type::i32),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace redtune
