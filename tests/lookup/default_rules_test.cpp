#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/selector.h"
#include "tests/lookup/selector_fixture.h"
#include "tuner/core/built_in_families.h"

namespace redtune {
namespace {

using DefaultRules = SelectorTest;

TEST_F(DefaultRules, WithoutAnyResultTheRulesOfThumbAnswer) {
    const Catalog catalog = open();
    for (const DeviceInfo& device : well_known_devices()) {
        const Selector selector = catalog.select(sum_, device);
        for (std::uint64_t n = 0; n < std::uint64_t{1} << 36; n = n * 3 + 1) {
            const auto match = selector.find(n);
            ASSERT_TRUE(match) << device.name << " " << n << ":\n" << selector.why_not(n);
            EXPECT_EQ(match->kind, MatchKind::default_rule);
            EXPECT_EQ(match->tuned_problem, nullptr);
            EXPECT_TRUE(match->family != "single_block" || n * sizeof(float) <= 262144) << "never stretched";
        }
    }
}

TEST_F(DefaultRules, EveryDefaultRuleNamesAFamilyWithItsValues) {
    const Catalog catalog = open();
    for (const std::uint64_t row_length : {0, 2, 100, 10000, 1 << 24}) {
        Problem problem = sum_;
        problem.row_length = row_length;
        const Selector selector = catalog.select(problem, h200_);
        for (std::uint64_t rows = 1; rows < 1 << 20; rows *= 2) {
            const auto match = selector.find(rows * std::max<std::uint64_t>(1, row_length));
            ASSERT_TRUE(match);
            const Family* family = find_built_in_family(match->family);
            ASSERT_NE(family, nullptr);
            ASSERT_EQ(match->parameters.size(), family->parameters.size());
            for (std::size_t i = 0; i < family->parameters.size(); ++i) {
                EXPECT_EQ(match->parameters[i].name, family->parameters[i].name);
                EXPECT_THAT(family->parameters[i].values, testing::Contains(match->parameters[i].value));
            }
        }
    }
}

TEST_F(DefaultRules, EveryNumberOfColumnsHasARule) {
    const Catalog catalog = open();
    for (const DeviceInfo& device : {h200_, well_known_devices().front()}) {
        for (const auto& [op, type] : {std::pair("sum", Type::f32), std::pair("argmin", Type::i8),
                                       std::pair("dot", Type::f64), std::pair("max", Type::f16)}) {
            for (const std::uint64_t columns : {1, 2, 3, 7, 8, 31, 64, 100, 333, 1000, 4097, 50'000, 10'000'019}) {
                Problem problem = make_problem(op, type);
                problem.columns = columns;
                const Selector selector = catalog.select(problem, device);
                for (std::uint64_t rows = 0; rows < 1 << 28; rows = rows * 3 + 1) {
                    const auto match = selector.find(rows * columns);
                    ASSERT_TRUE(match) << op << " " << columns << " x " << rows << selector.why_not(rows * columns);
                    EXPECT_EQ(match->kind, MatchKind::default_rule);
                    EXPECT_TRUE(match->family.starts_with("columns_")) << match->family;
                }
            }
        }
    }
}

TEST_F(DefaultRules, AFewLongRowsAreSplit) {
    Problem rows = sum_;
    rows.row_length = 1 << 24;
    const Catalog catalog = open();
    const Selector selector = catalog.select(rows, h200_);
    EXPECT_EQ(selector.find(rows.row_length)->family, "rows_split");
    EXPECT_EQ(selector.find(rows.row_length * 4096)->family, "rows_wide");
}

TEST_F(DefaultRules, RowsMayBeAsLongAsSizesGo) {
    Problem rows = sum_;
    const Catalog catalog = open();
    for (int shift = 20; shift < 64; ++shift) {
        rows.row_length = std::uint64_t{1} << shift;
        const Selector selector = catalog.select(rows, h200_);
        EXPECT_TRUE(selector.find(rows.row_length)) << shift << ":\n" << selector.why_not(rows.row_length);
    }
}

}  // namespace
}  // namespace redtune
