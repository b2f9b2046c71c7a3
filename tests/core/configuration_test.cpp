#include "tuner/core/configuration.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "redtune/error.h"

namespace redtune {
namespace {

TEST(Configuration, PrintsLikeAFunctionCall) {
    const Configuration configuration{
        "grid_stride_wide", {{"block", std::int64_t{256}}, {"finish", std::string("ticket")}, {"blocks_per_sm", 0.5}}};
    EXPECT_EQ(to_string(configuration), "grid_stride_wide(block=256, finish=ticket, blocks_per_sm=0.5)");
    EXPECT_EQ(to_json(configuration.parameters), R"({"block":256,"finish":"ticket","blocks_per_sm":0.5})");
    ASSERT_NE(configuration.find("finish"), nullptr);
    EXPECT_EQ(std::get<std::string>(*configuration.find("finish")), "ticket");
    EXPECT_EQ(configuration.find("unroll"), nullptr);
}

TEST(Configuration, ParametersMustBeAnObjectOfNumbersAndStrings) {
    for (const char* json : {"", "[]", "3", "{", R"({"a":null})", R"({"a":[1]})", R"({"a":true})"}) {
        EXPECT_THROW(parameters_from_json(json), InputError) << json;
    }
}

RC_GTEST_PROP(Configuration, ParametersRoundTripThroughJson, ()) {
    std::vector<Parameter> parameters;
    const auto count = *rc::gen::inRange(0, 6);
    for (int i = 0; i < count; ++i) {
        const std::string name = "p" + std::to_string(i);
        switch (*rc::gen::inRange(0, 3)) {
            case 0:
                parameters.push_back({name, *rc::gen::arbitrary<std::int64_t>()});
                break;
            case 1:
                parameters.push_back({name, *rc::gen::inRange(0, 1000) / 64.0 + 1e-3});
                break;
            default:
                parameters.push_back({name, *rc::gen::string<std::string>()});
        }
    }
    // Family files are UTF-8, so parameters with other bytes need not round-trip.
    try {
        RC_ASSERT(parameters_from_json(to_json(parameters)) == parameters);
    } catch (const std::exception& error) {
        RC_ASSERT(std::string(error.what()).find("UTF-8") != std::string::npos);
    }
}

TEST(LaunchRuleJson, RoundTrips) {
    LaunchRule rule{256, 4096, GridRule::blocks_per_sm, 0.25, 132, 1024, 8, true, Continuation::repeat};
    EXPECT_EQ(launch_rule_from_json(to_json(rule)), rule);
    rule = {64, 64, GridRule::tiles, 0, 0, 0, 0, false, Continuation::none};
    EXPECT_EQ(launch_rule_from_json(to_json(rule)), rule);
}

RC_GTEST_PROP(LaunchRuleJson, EveryRuleRoundTrips, ()) {
    LaunchRule rule;
    rule.block = *rc::gen::inRange(1U, 1025U);
    rule.tile = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 40);
    rule.grid = *rc::gen::element(GridRule::one, GridRule::tiles, GridRule::blocks_per_sm, GridRule::blocks,
                                  GridRule::rows, GridRule::columns);
    rule.continuation = *rc::gen::element(Continuation::none, Continuation::combine_partials, Continuation::repeat);
    rule.shared_bytes = *rc::gen::inRange(0U, 1U << 20);
    rule.slot_bytes = *rc::gen::inRange(0U, 64U);
    rule.slots_zeroed = *rc::gen::arbitrary<bool>();
    rule.combine_pdl = *rc::gen::arbitrary<bool>();
    rule.pdl = *rc::gen::arbitrary<bool>();
    // Only the members that the grid rule uses are stored.
    if (rule.grid == GridRule::blocks_per_sm) {
        rule.blocks_per_sm = *rc::gen::inRange(0, 64) / 8.0;
        rule.sm_count = *rc::gen::inRange(1U, 200U);
    }
    if (rule.grid == GridRule::blocks) rule.blocks = *rc::gen::inRange(1U, 1U << 24);
    if (rule.grid == GridRule::rows) {
        rule.rows_per_block = *rc::gen::inRange(1U, 1025U);
        rule.blocks_per_row = *rc::gen::inRange(1U, 1U << 24);
    }
    if (rule.grid == GridRule::columns) {
        rule.columns_per_block = *rc::gen::inRange(1U, 1U << 24);
        rule.parts = *rc::gen::inRange(1U, 1U << 24);
    }
    RC_ASSERT(launch_rule_from_json(to_json(rule)) == rule);
}

TEST(LaunchRuleJson, MembersMissingFromOldRulesGetTheirInitialValue) {
    const LaunchRule rule = launch_rule_from_json(R"({"block":256,"tile":4096,"grid":"tiles"})");
    EXPECT_EQ(rule.rows_per_block, 1U);
    EXPECT_EQ(rule.blocks_per_row, 1U);
    EXPECT_FALSE(rule.pdl);
    for (const char* since : {"row", "columns", "parts", "pdl"}) {
        EXPECT_EQ(to_json(rule).find(since), std::string::npos)
            << "the JSON of a rule is part of a database key, so old rules must give the same text";
    }
}

TEST(LaunchRuleJson, RejectsTextThatIsNotARule) {
    for (const char* json :
         {"", "{}", R"({"block":1,"tile":1,"grid":"x"})", R"({"block":"a","tile":1,"grid":"one"})"}) {
        EXPECT_THROW(launch_rule_from_json(json), InputError) << json;
    }
}

TEST(LaunchRuleJson, NumbersThatDoNotFitAreRefused) {
    for (const char* number : {"-1", "1.5", "4294967296", "1e10", "99999999999999999999999999999999999999999"}) {
        for (const char* text :
             {R"({{"block":{},"tile":1,"grid":"tiles"}})", R"({{"block":1,"tile":1,"grid":"blocks","blocks":{}}})"}) {
            const std::string json = fmt::format(fmt::runtime(text), number);
            EXPECT_THROW(launch_rule_from_json(json), InputError) << json;
        }
    }
}

}  // namespace
}  // namespace redtune
