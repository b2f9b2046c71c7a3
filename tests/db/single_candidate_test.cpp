#include "db/single_candidate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/support/devices.h"

namespace redtune::db {
namespace {

constexpr const char* limited = R"(/*redtune
family = "limited"
[compile]
block = [32, 64]
[derived]
tile = "block"
grid = "'tiles'"
where = ["tile * 2 <= n", "n <= tile * 1000"]
*/)";

Configuration with_block(std::int64_t block) {
    return {"limited", {{"block", Value(block)}}};
}

TEST(CandidateOf, FindsAConfigurationEvenIfAnotherHasTheSameGrid) {
    std::string text = limited;
    text.replace(text.find("grid = \"'tiles'\""), 16, "grid = \"'blocks_per_sm'\"");
    text.replace(text.find("[derived]"), 9, "[launch]\nblocks_per_sm = [1, 2]\n[derived]");
    const Family family = parse_families("limited.cuh", text).front();
    const Problem problem = make_problem("sum", Type::f32);
    const Configuration twice{"limited",
                              {{"block", Value(std::int64_t{32})}, {"blocks_per_sm", Value(std::int64_t{2})}}};
    ASSERT_EQ(candidates(family, test_support::h200(), problem, 1000).size(), 2U) << "one for each block";
    const auto trial = candidate_of(family, test_support::h200(), problem, twice, 1000, Regime::cold);
    ASSERT_TRUE(trial);
    EXPECT_EQ(trial->configuration, twice);
    EXPECT_FALSE(candidate_of(family, test_support::h200(), problem, twice, 10, Regime::cold));
}

TEST(CandidateRange, HasTheSizesThatTheConditionsAllow) {
    const Family family = parse_families("limited.cuh", limited).front();
    const Problem problem = make_problem("sum", Type::f32);
    for (const std::uint64_t n : {64, 1000, 32000}) {
        EXPECT_EQ(candidate_range(family, test_support::h200(), problem, with_block(32), n, Regime::cold),
                  (SizeRange{64, 32000}));
    }
    EXPECT_EQ(candidate_range(family, test_support::h200(), problem, with_block(64), 1000, Regime::cold),
              (SizeRange{128, 64000}));
}

TEST(CandidateRange, IsUnboundedWithoutConditions) {
    std::string text = limited;
    text.erase(text.find("where"), text.find("*/") - text.find("where"));
    const Family family = parse_families("limited.cuh", text).front();
    const SizeRange range = candidate_range(family, test_support::h200(), make_problem("sum", Type::f32),
                                            with_block(32), 1000, Regime::cold);
    EXPECT_EQ(range.least, 0U);
    EXPECT_GE(range.most, std::uint64_t{1} << 31);
}

TEST(CandidateRange, HasAnEndBelowTheLargestSizeThatIsTried) {
    std::string text = limited;
    text.replace(text.find("n <= tile * 1000"), 16, "n <= 1000000000000");
    const Family family = parse_families("limited.cuh", text).front();
    for (const std::uint64_t n : {std::uint64_t{1000}, std::uint64_t{100'000'000'000}}) {
        EXPECT_EQ(candidate_range(family, test_support::h200(), make_problem("sum", Type::f32), with_block(64), n,
                                  Regime::cold),
                  (SizeRange{128, 64 * 2147483647ULL}))
            << "a larger grid is not possible";
    }
}

RC_GTEST_PROP(CandidateRange, HasTheSizesForWhichTheConfigurationIsACandidate, ()) {
    static const Family family = parse_families("limited.cuh", limited).front();
    const Problem problem = make_problem("sum", Type::f32);
    const std::uint64_t from = *rc::gen::inRange<std::uint64_t>(64, 32001);
    const std::uint64_t n = *rc::gen::inRange<std::uint64_t>(0, 40000);
    const SizeRange range = candidate_range(family, test_support::h200(), problem, with_block(32), from, Regime::cold);
    const auto found = candidates(family, test_support::h200(), problem, n);
    const bool is_candidate = std::any_of(
        found.begin(), found.end(), [](const auto& candidate) { return candidate.configuration == with_block(32); });
    RC_ASSERT(is_candidate == (range.least <= n && n <= range.most));
}

}  // namespace
}  // namespace redtune::db
