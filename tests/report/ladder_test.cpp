#include "tuner/report/ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "db/space.h"
#include "redtune/error.h"
#include "tests/support/devices.h"
#include "tuner/jit/source_set.h"
#include "tuner/report/nearest_candidate.h"

namespace redtune::report {
namespace {

const std::vector<Family>& all_families() {
    static const std::vector<Family> families = jit::SourceSet::load().families();
    return families;
}

LadderSetup published(const std::string& name) {
    for (const LadderSetup& setup : published_ladders(all_families())) {
        if (setup.name == name) return setup;
    }
    throw std::invalid_argument(name);
}

std::vector<double> published_times(const std::string& name) {
    std::vector<double> times;
    const LadderSetup setup = published(name);
    for (const LadderStep& step : setup.steps) times.push_back(step.published_us.value_or(0));
    return times;
}

/// The parameters of each step on an H200.
std::vector<std::string> configurations(const std::string& name) {
    const LadderSetup setup = published(name);
    const std::vector<Family>& families = all_families();
    std::vector<std::string> configurations;
    for (const LadderStep& step : setup.steps) {
        const auto candidates =
            db::candidates(jit::find_family(families, step.family), test_support::h200(), setup.problem, setup.n);
        configurations.push_back(to_string(nearest_candidate(candidates, step.parameters).value().configuration));
    }
    return configurations;
}

TEST(PublishedLadders, AreThree) {
    std::vector<std::string> names;
    for (const LadderSetup& setup : published_ladders(all_families())) names.push_back(setup.name);
    EXPECT_EQ(names, (std::vector<std::string>{"in_place", "shared", "rows"}));
    EXPECT_EQ(ladder_names(), names);
}

TEST(PublishedLadders, TakeAFurtherStepWhoseFrontMatterNamesThem) {
    std::vector<Family> families = all_families();
    Family& mine = families.emplace_back();
    mine.name = "mine";
    mine.role.ladder = "rows";
    mine.role.step = 3;
    const LadderSetup rows = published_ladders(families).back();
    ASSERT_EQ(rows.steps.size(), 3U);
    EXPECT_EQ(rows.steps[2].family, "mine");
    EXPECT_FALSE(rows.steps[2].published_us);
    EXPECT_EQ(rows.steps[1].published_us, 192.90);
}

TEST(PublishedLadders, RefuseAStepOfALadderThatDoesNotExist) {
    std::vector<Family> families(1);
    families[0].path = "mine.cuh";
    families[0].role.ladder = "in_plase";
    EXPECT_THAT(
        [&] { published_ladders(families); },
        testing::ThrowsMessage<InputError>("mine.cuh: there is no ladder 'in_plase'; allowed are in_place, shared, "
                                           "rows; did you mean 'in_place'?"));
}

TEST(PublishedLadders, HaveTheirProblemsAndTimes) {
    EXPECT_EQ(published("in_place").problem.input, Type::i32);
    EXPECT_TRUE(published("in_place").problem.destructive);
    EXPECT_EQ(published("in_place").n, 16'777'216U);
    EXPECT_EQ(published_times("in_place"), (std::vector<double>{11722, 9321, 6967, 3430, 1829, 1422, 1355, 1280, 0}));
    EXPECT_EQ(published("shared").problem, make_problem("sum", Type::f32));
    EXPECT_EQ(published("shared").n, 33'554'432U);
    EXPECT_EQ(published_times("shared"), (std::vector<double>{990.66, 479.58, 462.02, 244.16, 167.10, 158.78, 105.47}));
    EXPECT_EQ(shape_name(published("rows").problem), "rows:32");
    EXPECT_EQ(published("rows").n, 1'048'576U);
    EXPECT_EQ(published_times("rows"), (std::vector<double>{258.76, 192.90}));
}

TEST(PublishedLadders, NameFamiliesThatExistWithParametersThatTheyHave) {
    const std::vector<Family> families = jit::SourceSet::load().families();
    for (const LadderSetup& setup : published_ladders(all_families())) {
        for (const LadderStep& step : setup.steps) {
            const Family& family = jit::find_family(families, step.family);
            EXPECT_TRUE(setup.problem.destructive || !family.destructive) << step.family;
            for (const Parameter& wanted : step.parameters) {
                const auto found = std::find_if(family.parameters.begin(), family.parameters.end(),
                                                [&](const auto& own) { return own.name == wanted.name; });
                ASSERT_NE(found, family.parameters.end()) << step.family << " has no " << wanted.name;
                EXPECT_THAT(found->values, testing::Contains(wanted.value)) << step.family << ' ' << wanted.name;
            }
        }
    }
}

TEST(PublishedLadders, AreMeasuredAsTheyWerePublished) {
    EXPECT_EQ(configurations("in_place"),
              (std::vector<std::string>{"neighbored(block=512)", "neighbored_less(block=512)", "interleaved(block=512)",
                                        "unrolling2(block=512, data_blocks=2)", "unrolling4(block=512, data_blocks=4)",
                                        "unrolling8(block=512, data_blocks=8)", "unroll_warps8(block=512)",
                                        "complete_unroll_warps8(block=512)", "complete_unroll(block=512)"}));
    EXPECT_EQ(configurations("shared").front(), "shared_modulo(block=256)");
    EXPECT_EQ(configurations("shared").back(), "shared_multi_add(block=256, blocks=1024)");
    EXPECT_EQ(configurations("rows"), (std::vector<std::string>{"segment_shared(block=256, lanes=32)",
                                                                "segment_shuffle(block=256, lanes=32)"}));
}

TEST(DefaultSteps, AreThoseOfTheShape) {
    Problem problem = make_problem("max", Type::f16);
    EXPECT_EQ(default_steps(problem, all_families()).front(), "shared_modulo");
    EXPECT_EQ(default_steps(problem, all_families()).size(), 7U);
    problem.row_length = 100;
    EXPECT_EQ(default_steps(problem, all_families()), (std::vector<std::string>{"segment_shared", "segment_shuffle"}));
}

TEST(CustomLadder, AsksForTheParametersThatAFamilyHas) {
    const std::vector<Family> families = jit::SourceSet::load().families();
    const std::vector<Family> steps = {jit::find_family(families, "shared_modulo"),
                                       jit::find_family(families, "shared_multi_add")};
    const LadderSetup setup = custom_ladder(make_problem("sum", Type::f64), 1000, 128, steps);
    EXPECT_EQ(setup.name, "custom");
    EXPECT_EQ(setup.n, 1000U);
    EXPECT_FALSE(setup.problem.destructive);
    ASSERT_EQ(setup.steps.size(), 2U);
    EXPECT_EQ(setup.steps[0].parameters, (std::vector<Parameter>{{"block", std::int64_t{128}}}));
    EXPECT_EQ(setup.steps[1].parameters,
              (std::vector<Parameter>{{"block", std::int64_t{128}}, {"blocks", std::int64_t{1024}}}));
}

TEST(CustomLadder, IsDestructiveWhereAFamilyIs) {
    const std::vector<Family> families = jit::SourceSet::load().families();
    const std::vector<Family> steps = {jit::find_family(families, "shared_modulo"),
                                       jit::find_family(families, "neighbored")};
    EXPECT_TRUE(custom_ladder(make_problem("sum", Type::i32), 1000, 128, steps).problem.destructive);
}

/// Returns a ladder of three steps with 1e9 bytes of input, so that GB/s is 1e6 / time_us.
LadderSetup three_steps() {
    LadderSetup setup;
    setup.name = "three";
    setup.problem = make_problem("sum", Type::u8);
    setup.n = 1'000'000'000;
    setup.published_on = "an old card";
    setup.steps = {{"a", {}, 300.0}, {"b", {}, 100.0}, {"c", {}, std::nullopt}};
    return setup;
}

TEST(LadderRows, CompareWithTheFirstStep) {
    LadderResult result;
    result.steps = {{"a", "a()", 1000.0, 1250.0}, {"b", "b()", 500.0, 625.0}, {"c", "c()", 250.0, 312.5}};
    result.redtune = LadderTimes{"grid_stride_wide", "grid_stride_wide()", 200.0, 200.0};
    const std::vector<LadderRow> rows = ladder_rows(three_steps(), result, 5000);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].setup, "three");
    EXPECT_EQ(rows[0].step, 1U);
    EXPECT_EQ(rows[0].kernel.us, 1000);
    EXPECT_DOUBLE_EQ(rows[0].kernel.gb_per_s.value(), 1000);
    EXPECT_DOUBLE_EQ(rows[0].kernel.peak_percent.value(), 20);
    EXPECT_DOUBLE_EQ(rows[0].kernel.speedup.value(), 1);
    EXPECT_DOUBLE_EQ(rows[1].kernel.speedup.value(), 2);
    EXPECT_DOUBLE_EQ(rows[1].call.gb_per_s.value(), 1600);
    EXPECT_DOUBLE_EQ(rows[1].call.peak_percent.value(), 32);
    EXPECT_DOUBLE_EQ(rows[1].call.speedup.value(), 2);
    EXPECT_EQ(rows[3].step, 0U);
    EXPECT_EQ(rows[3].family, "grid_stride_wide");
    EXPECT_DOUBLE_EQ(rows[3].kernel.speedup.value(), 5);
    EXPECT_DOUBLE_EQ(rows[3].call.speedup.value(), 6.25);
}

TEST(LadderRows, ShowWhatWasPublishedWhereItWas) {
    LadderResult result;
    result.steps.resize(3);
    result.redtune.emplace();
    const std::vector<LadderRow> rows = ladder_rows(three_steps(), result, 5000);
    EXPECT_EQ(rows[0].published_us, 300);
    EXPECT_EQ(rows[0].published_speedup, 1);
    EXPECT_EQ(rows[1].published_on, "an old card");
    EXPECT_EQ(rows[1].published_speedup, 3);
    for (const std::size_t without : {2, 3}) {
        EXPECT_EQ(rows[without].published_on, "");
        EXPECT_FALSE(rows[without].published_us);
        EXPECT_FALSE(rows[without].published_speedup);
    }
}

TEST(LadderRows, LeaveEmptyWhatIsNotKnown) {
    LadderResult result;
    result.steps = {{"a", "a()", {}, {}}, {"b", "b()", {}, 500.0}};
    const std::vector<LadderRow> rows = ladder_rows(three_steps(), result, 0);
    ASSERT_EQ(rows.size(), 2U) << "an interrupted ladder has the steps that were measured";
    EXPECT_FALSE(rows[0].call.us);
    EXPECT_FALSE(rows[0].call.gb_per_s);
    EXPECT_FALSE(rows[0].call.speedup);
    EXPECT_FALSE(rows[1].kernel.us);
    EXPECT_FALSE(rows[1].kernel.speedup);
    EXPECT_EQ(rows[1].call.us, 500);
    EXPECT_FALSE(rows[1].call.speedup) << "the first step has no time to compare with";
    EXPECT_FALSE(rows[1].call.peak_percent) << "the peak is not known";
    EXPECT_TRUE(ladder_rows(three_steps(), {}, 5000).empty());
}

}  // namespace
}  // namespace redtune::report
