#include "compare/winner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "redtune/catalog.h"
#include "tests/support/devices.h"
#include "tests/support/source_path.h"
#include "tuner/core/complete.h"
#include "tuner/core/configuration.h"
#include "tuner/jit/source_set.h"

namespace redtune::compare {
namespace {

Catalog shipped_catalog() {
    return Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
}

/// Returns an H200 with the most shared memory that a kernel can opt in to, 227 KiB per block.
DeviceInfo h200_with_opt_in_shared_memory() {
    DeviceInfo device = test_support::h200();
    device.max_shared_bytes_per_block = 227 << 10;
    return device;
}

std::vector<Parameter> parameters_of(const Match& match) {
    return {match.parameters.begin(), match.parameters.end()};
}

TEST(Winner, EveryShippedConfigurationIsFoundWithItsOwnParameters) {
    const Catalog catalog = shipped_catalog();
    const std::vector<Family> families = jit::SourceSet::load().families();
    std::set<std::string> found;
    for (const Problem& problem : catalog.problems("NVIDIA H200")) {
        for (const Regime regime : {Regime::cold, Regime::warm}) {
            for (const std::uint64_t n : catalog.tuned_sizes(problem, "NVIDIA H200", regime)) {
                const auto match = catalog.find(problem, n, "NVIDIA H200", regime);
                ASSERT_TRUE(match);
                // A configuration that wins at several sizes is looked for once for each problem.
                const std::string key = fmt::format("{} {} {} {} {}", problem.op, to_string(problem.input),
                                                    shape_name(problem), match->family, to_json(parameters_of(*match)));
                if (!found.insert(key).second) continue;
                const auto trial = trial_of(*match, families, h200_with_opt_in_shared_memory(), problem, regime);
                ASSERT_TRUE(trial) << problem.op << " of " << to_string(problem.input) << ", " << n;
                EXPECT_EQ(trial->configuration.family, match->family);
                const auto family = std::ranges::find(families, match->family, &Family::name);
                EXPECT_EQ(trial->configuration.parameters, complete(match->parameters, *family));
            }
        }
    }
    EXPECT_GT(found.size(), 100U);
}

TEST(Winner, AParameterOfOneVersionOnlyIsIgnored) {
    const Catalog catalog = shipped_catalog();
    const Problem problem = make_problem("sum", Type::f32);
    const auto match = catalog.find(problem, 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(match);
    std::vector<Family> families = jit::SourceSet::load().families();
    auto family = std::find_if(families.begin(), families.end(),
                               [&](const Family& candidate) { return candidate.name == match->family; });
    family->parameters.push_back({"only_here", {Value(std::int64_t{3})}, false, 1});
    const std::vector<Value> values = {Value(std::int64_t{5}), Value(std::int64_t{7})};
    family->parameters.push_back({"with_default", values, false, 1, Value(std::int64_t{7})});
    Match narrowed = *match;
    std::vector<Parameter> parameters = parameters_of(*match);
    parameters.push_back({"only_there", Value(std::int64_t{1})});
    narrowed.parameters = parameters;
    const auto trial = trial_of(narrowed, families, test_support::h200(), problem, Regime::cold);
    ASSERT_TRUE(trial);
    EXPECT_EQ(*trial->configuration.find("only_here"), Value(std::int64_t{3}));
    EXPECT_EQ(*trial->configuration.find("with_default"), Value(std::int64_t{7}));
    EXPECT_EQ(trial->configuration.find("only_there"), nullptr);
}

TEST(Winner, WithoutItsFamilyThereIsNone) {
    const Catalog catalog = shipped_catalog();
    const Problem problem = make_problem("sum", Type::f32);
    const auto match = catalog.find(problem, 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(match);
    EXPECT_FALSE(trial_of(*match, {}, test_support::h200(), problem, Regime::cold));
}

}  // namespace
}  // namespace redtune::compare
