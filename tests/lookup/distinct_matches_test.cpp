#include "tuner/lookup/distinct_matches.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <set>

#include "redtune/catalog.h"
#include "tests/support/source_path.h"
#include "tuner/core/well_known_devices.h"
#include "tuner/lookup/selector_content.h"

namespace redtune::lookup {
namespace {

const Catalog& shipped_winners() {
    static const Catalog catalog = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    return catalog;
}

/// Returns the rules of all matches between two sizes.
std::set<const LaunchRule*> rules_between(const Selector& selector, std::uint64_t first, std::uint64_t last) {
    std::set<const LaunchRule*> rules;
    const std::vector<Match> matches = distinct_matches(
        selector.content(), [&](std::uint64_t n) { return selector.find(n); }, first, last);
    for (const Match& match : matches) rules.insert(match.rule);
    EXPECT_EQ(rules.size(), matches.size()) << "each is there once";
    return rules;
}

TEST(DistinctMatches, HaveTheMatchOfEverySize) {
    std::mt19937_64 random(1);
    Problem rows = make_problem("max", Type::f32);
    rows.row_length = 77;
    for (const Problem& problem : {make_problem("sum", Type::f32), make_problem("argmin", Type::i32), rows}) {
        const std::uint64_t unit = std::max<std::uint64_t>(1, problem.row_length);
        for (const char* device : {"Tesla T4", "NVIDIA A100-SXM4-80GB", "NVIDIA H200", "NVIDIA GeForce RTX 5090"}) {
            const Selector selector = shipped_winners().select(problem, find_well_known_device(device).value());
            const auto rules = rules_between(selector, unit, unit << 34);
            for (int i = 0; i < 2000; ++i) {
                const double exponent = std::uniform_real_distribution(0.0, 34.0)(random);
                const std::uint64_t n = static_cast<std::uint64_t>(std::exp2(exponent)) * unit;
                const auto match = selector.find(n);
                ASSERT_TRUE(match) << device << ", n = " << n << ": " << selector.why_not(n);
                EXPECT_TRUE(rules.contains(match->rule)) << device << ", n = " << n;
            }
        }
    }
}

TEST(DistinctMatches, OfOneSizeIsItsMatch) {
    const Selector selector =
        shipped_winners().select(make_problem("sum", Type::f32), find_well_known_device("NVIDIA H200").value());
    EXPECT_THAT(rules_between(selector, 5000, 5000), testing::ElementsAre(selector.find(5000)->rule));
}

TEST(DistinctMatches, SizesWithoutAMatchAreLeftOut) {
    const Selector selector =
        shipped_winners().select(make_problem("sum", Type::f32), find_well_known_device("NVIDIA H200").value());
    const FindMatch find_small = [&](std::uint64_t n) { return n <= 1000 ? selector.find(n) : std::optional<Match>(); };
    const std::vector<Match> found = distinct_matches(selector.content(), find_small, 1, 1 << 20);
    EXPECT_EQ(found.size(), rules_between(selector, 1, 1000).size());
}

TEST(ChangePoints, AreWholeRowsBetweenTheEnds) {
    Problem rows = make_problem("sum", Type::f32);
    rows.row_length = 77;
    const Selector selector = shipped_winners().select(rows, find_well_known_device("NVIDIA H200").value());
    const std::vector<std::uint64_t> points = change_points(selector.content(), 77, 77 << 20);
    ASSERT_GT(points.size(), 2U);
    EXPECT_EQ(points.front(), 77U);
    EXPECT_EQ(points.back(), std::uint64_t{77} << 20);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
    EXPECT_THAT(points, testing::Each(testing::Truly([](std::uint64_t n) { return n % 77 == 0; })));
}

}  // namespace
}  // namespace redtune::lookup
