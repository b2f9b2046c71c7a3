#include "redtune/selector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tests/lookup/selector_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/core/built_in_families.h"
#include "tuner/core/well_known_devices.h"

namespace redtune {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A configuration of tile_per_block with its true launch rule for sums of f32, which is a candidate on every device.
Candidate tile_per_block(std::string_view finish) {
    Candidate made;
    made.configuration = {"tile_per_block",
                          {{"block", std::int64_t{128}},
                           {"unroll", std::int64_t{4}},
                           {"vector_bytes", std::int64_t{16}},
                           {"finish", std::string(finish)},
                           {"pdl", std::int64_t{0}},
                           {"cluster", std::int64_t{1}}}};
    made.rule.block = 128;
    made.rule.tile = 2048;
    made.rule.grid = GridRule::tiles;
    made.rule.slot_bytes = finish == "packed" ? 8 : 4;
    return made;
}

TEST_F(SelectorTest, GivesWhatFindGivesForATunedDevice) {
    tune(h200_, sum_, 1 << 20, tile_per_block("ticket"));
    tune(h200_, sum_, 1 << 22, tile_per_block("packed"), Regime::cold, 5);
    const Catalog catalog = open();
    const Selector selector = catalog.select(sum_, h200_);
    for (const std::uint64_t n : {1 << 18, 1 << 20, (1 << 20) + 1, 1 << 22, 1 << 23}) {
        const auto selected = selector.find(n);
        const auto found = catalog.find(sum_, n, "NVIDIA H200");
        ASSERT_TRUE(selected && found);
        EXPECT_EQ(selected->kind, found->kind);
        EXPECT_EQ(selected->tuned_n, found->tuned_n);
        EXPECT_EQ(selected->expected_us, found->expected_us);
        EXPECT_EQ(selected->plan.workspace_bytes, found->plan.workspace_bytes);
        EXPECT_EQ(selected->tuned_device, "NVIDIA H200");
        EXPECT_EQ(*selected->tuned_problem, sum_);
    }
}

TEST_F(SelectorTest, ASimilarProblemIsOneOfTheSameWidthsOnTheSameDevice) {
    tune(h200_, make_problem("sum", Type::i32), 1 << 20, tile_per_block("packed"));
    tune(h200_, make_problem("sum", Type::f64), 1 << 20, tile_per_block("packed"));
    tune(h200_, make_problem("argmin", Type::f32), 1 << 20, tile_per_block("ticket"));
    const Catalog catalog = open();
    const auto match = catalog.select(sum_, h200_).find(1 << 20);
    ASSERT_TRUE(match);
    EXPECT_EQ(match->kind, MatchKind::similar_problem);
    EXPECT_EQ(match->tuned_problem->input, Type::i32);
    EXPECT_EQ(match->expected_us, 2);
    EXPECT_EQ(match->rule->slot_bytes, 8U) << "the slots of this problem: f32 is packed in bins";
    EXPECT_TRUE(match->rule->slots_zeroed);
}

TEST_F(SelectorTest, TheSameProblemInAnotherRegimeIsSimilar) {
    tune(h200_, sum_, 1 << 20, tile_per_block("ticket"), Regime::cold);
    const Catalog catalog = open();
    const auto match = catalog.select(sum_, h200_, {.regime = Regime::warm}).find(1 << 20);
    ASSERT_TRUE(match);
    EXPECT_EQ(match->kind, MatchKind::similar_problem);
    EXPECT_EQ(match->tuned_regime, Regime::cold);
}

TEST_F(SelectorTest, OtherDevicesServeByHowMuchTheyHaveInCommon) {
    const struct {
        std::string_view tuned, asked;
        MatchKind kind;
    } cases[] = {{"NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-80GB", MatchKind::same_silicon_other_memory},
                 {"NVIDIA H100 80GB HBM3", "NVIDIA H200", MatchKind::same_silicon_other_memory},
                 {"NVIDIA L4", "NVIDIA GeForce RTX 4090", MatchKind::same_compute_capability},
                 {"NVIDIA H200", "NVIDIA B200", MatchKind::other_device}};
    for (const auto& each : cases) {
        std::filesystem::remove(*options_.user_database);
        tune(known(each.tuned), sum_, 1 << 20, tile_per_block("ticket"));
        const Catalog catalog = open();
        const auto match = catalog.select(sum_, known(each.asked)).find(1 << 20);
        ASSERT_TRUE(match) << each.asked;
        EXPECT_EQ(match->kind, each.kind) << each.asked << ": " << to_string(match->kind);
        EXPECT_EQ(match->tuned_device, each.tuned);
        EXPECT_EQ(match->device, each.asked);
        EXPECT_EQ(match->expected_us, 0) << "the time of another device is not known here";
    }
}

TEST_F(SelectorTest, TheNearestOfTheOtherDevicesIsTaken) {
    tune(known("Tesla T4"), sum_, 1 << 18, tile_per_block("ticket"));
    tune(known("NVIDIA H200"), sum_, 1 << 18, tile_per_block("ticket"));
    tune(known("NVIDIA A2"), sum_, 1 << 18, tile_per_block("ticket"));
    const Catalog catalog = open();
    EXPECT_EQ(catalog.select(sum_, known("NVIDIA B200")).find(1 << 18)->tuned_device, "NVIDIA H200");
    EXPECT_EQ(catalog.select(sum_, known("Orin")).find(1 << 18)->tuned_device, "NVIDIA A2");
}

TEST_F(SelectorTest, AMigSliceIsServedByItsGpuAndTheGpuByItsSlice) {
    DeviceInfo slice = h200_;
    slice.name = "NVIDIA H200 MIG 1g.18gb";
    slice.mig_profile = "1g.18gb";
    slice.sm_count = 16;
    slice.memory_bytes /= 8;
    slice.l2_bytes /= 8;
    tune(h200_, sum_, 1 << 18, tile_per_block("ticket"));
    const Catalog catalog = open();
    EXPECT_EQ(catalog.select(sum_, slice).find(1 << 18)->kind, MatchKind::same_silicon_other_memory);
    std::filesystem::remove(*options_.user_database);
    tune(slice, sum_, 1 << 18, tile_per_block("ticket"));
    const Catalog other = open();
    EXPECT_EQ(other.select(sum_, h200_).find(1 << 18)->kind, MatchKind::same_silicon_other_memory);
}

TEST_F(SelectorTest, ADriverThatReservesMemoryIsTheSameDeviceButOtherMemoryIsNot) {
    DeviceInfo rtx = known("NVIDIA GeForce RTX 3060");
    tune(rtx, sum_, 1 << 18, tile_per_block("ticket"));
    const Catalog catalog = open();
    rtx.memory_bytes = rtx.memory_bytes / 100 * 97;
    EXPECT_EQ(catalog.select(sum_, rtx).find(1 << 18)->kind, MatchKind::exact);
    rtx.memory_bytes = std::uint64_t{8} << 30;
    EXPECT_EQ(catalog.select(sum_, rtx).find(1 << 18)->kind, MatchKind::same_silicon_other_memory);
}

TEST_F(SelectorTest, LaunchRulesAreScaledToTheDevice) {
    const Catalog catalog = Catalog::open({folder_ / "none.db", test::shipped_data()});
    const Selector selector = catalog.select(sum_, known("NVIDIA B200"));
    bool has_scaled = false;
    for (std::uint64_t n = 1 << 10; n <= 1 << 30; n *= 2) {
        const auto match = selector.find(n);
        ASSERT_TRUE(match) << n;
        if (match->kind == MatchKind::default_rule) continue;
        EXPECT_EQ(match->kind, MatchKind::other_device);
        EXPECT_EQ(match->tuned_device, "NVIDIA H200");
        if (match->rule->grid != GridRule::blocks_per_sm) continue;
        EXPECT_EQ(match->rule->sm_count, 148U);
        has_scaled = true;
    }
    EXPECT_TRUE(has_scaled);
}

TEST_F(SelectorTest, OptionsRuleOutConfigurations) {
    tune(h200_, sum_, 1 << 20, tile_per_block("packed"));
    tune(h200_, sum_, 1 << 21, tile_per_block("ticket"));
    const Catalog catalog = open();
    EXPECT_EQ(catalog.select(sum_, h200_).find(1 << 20)->tuned_n, 1U << 20);
    const auto other = catalog.select(sum_, h200_, {.allow_forward_progress = false}).find(1 << 20);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->tuned_n, 1U << 21);
    EXPECT_EQ(other->kind, MatchKind::beyond);

    Candidate dependent = tile_per_block("dependent");
    dependent.rule.combine_pdl = true;
    dependent.rule.continuation = Continuation::combine_partials;
    tune(h200_, sum_, 1 << 21, dependent);
    const Catalog later = open();
    EXPECT_EQ(later.select(sum_, h200_).find(1 << 21)->plan.count, 2U);
    const auto without = later.select(sum_, h200_, {.allow_pdl = false}).find(1 << 21);
    ASSERT_TRUE(without);
    EXPECT_EQ(without->tuned_n, 1U << 20);
    const auto small = later.select(sum_, h200_, {.max_workspace_bytes = 1024}).find(1 << 21);
    ASSERT_TRUE(small);
    EXPECT_LE(small->plan.workspace_bytes, 1024U);
    EXPECT_EQ(small->kind, MatchKind::default_rule);
}

TEST_F(SelectorTest, ARunToRunProblemGetsDeterministicConfigurationsOnly) {
    const Catalog catalog = Catalog::open({folder_ / "none.db", test::shipped_data()});
    Problem strict = sum_;
    strict.determinism = Determinism::run_to_run;
    for (const char* device : {"NVIDIA H200", "NVIDIA B200", "Tesla T4"}) {
        const Selector selector = catalog.select(strict, known(device), {.max_workspace_bytes = 4096});
        for (std::uint64_t n = 1; n <= 1 << 30; n *= 4) {
            const auto match = selector.find(n);
            EXPECT_TRUE(!match || match->deterministic) << device << " " << n;
        }
    }
}

TEST_F(SelectorTest, KindsCanBeRefused) {
    tune(h200_, sum_, 1 << 20, tile_per_block("ticket"));
    tune(h200_, sum_, 1 << 22, tile_per_block("ticket"));
    const Catalog catalog = open();
    const Selector selector = catalog.select(sum_, h200_, {.kinds = {MatchKind::exact, MatchKind::between}});
    EXPECT_EQ(selector.find(1 << 20)->kind, MatchKind::exact);
    EXPECT_EQ(selector.find(1 << 21)->kind, MatchKind::between);
    EXPECT_FALSE(selector.find(1 << 23));
    EXPECT_THAT(selector.why_not(1 << 23), HasSubstr("beyond"));
    EXPECT_THAT(selector.why_not(1 << 23), HasSubstr("not allowed by the options"));
    EXPECT_EQ(selector.why_not(1 << 20), "");
    const Selector rules = catalog.select(sum_, h200_, {.kinds = {MatchKind::default_rule}});
    EXPECT_EQ(rules.find(1 << 20)->kind, MatchKind::default_rule);
}

TEST_F(SelectorTest, ARefusalNamesWhatRuledOutWhat) {
    sum_.determinism = Determinism::run_to_run;
    tune(h200_, sum_, 1 << 24, tile_per_block("packed"));
    const Catalog catalog = open();
    const Selector selector =
        catalog.select(sum_, h200_, {.max_workspace_bytes = 300, .allow_forward_progress = false});
    EXPECT_FALSE(selector.find(1 << 24));
    const std::string why = selector.why_not(1 << 24);
    EXPECT_THAT(
        why, AllOf(HasSubstr(
                       "exact, between, beyond: assumes forward progress of waiting blocks, which is not allowed (1)."),
                   HasSubstr("more workspace than the allowed 300 bytes, at least "),
                   HasSubstr("no candidate for this problem on this device")));
    EXPECT_THAT(catalog.select(sum_, h200_, {.max_workspace_bytes = 0}).why_not(1), HasSubstr("at least 256 bytes"));
}

TEST_F(SelectorTest, ADeviceThatIsTooOldIsRefused) {
    DeviceInfo volta = known("Tesla T4");
    volta.name = "Tesla V100";
    volta.compute_major = 7;
    volta.compute_minor = 0;
    const Catalog catalog = open();
    const Selector selector = catalog.select(sum_, volta);
    EXPECT_FALSE(selector.find(1 << 20));
    EXPECT_THAT(selector.why_not(1 << 20), HasSubstr("needs a newer compute capability than this device has"));
}

TEST_F(SelectorTest, NothingThatWaitsIsTakenWhereOnlyOneBlockFits) {
    DeviceInfo one = known("NVIDIA GeForce RTX 3060");
    one.name = "one SM";
    one.sm_count = 1;
    one.max_threads_per_sm = 128;  // one block of tile_per_block
    tune(one, sum_, 1 << 14, tile_per_block("publish"));
    const Catalog catalog = open();
    const auto match = catalog.select(sum_, one).find(1 << 14);
    ASSERT_TRUE(match);
    EXPECT_NE(match->kind, MatchKind::exact);
    const auto asked =
        catalog.select(sum_, one, {.occupancy = [](const OccupancyQuestion& question) {
                           return std::optional<std::uint64_t>(question.family == "tile_per_block" ? 2 : 1);
                       }});
    EXPECT_EQ(asked.find(1 << 14)->kind, MatchKind::exact) << "the caller's answer counts";
    DeviceInfo two = one;
    two.sm_count = 2;
    tune(two, sum_, 1 << 14, tile_per_block("publish"));
    EXPECT_EQ(open().select(sum_, two).find(1 << 14)->kind, MatchKind::exact);
}

TEST_F(SelectorTest, AClusterIsTakenOnlyWhereItsBlocksFit) {
    Problem rows = sum_;
    rows.row_length = 1 << 16;
    Candidate cluster;
    cluster.configuration = {"rows_cluster",
                             {{"block", std::int64_t{256}},
                              {"unroll", std::int64_t{4}},
                              {"vector_bytes", std::int64_t{16}},
                              {"path", std::string("read_only")},
                              {"cluster", std::int64_t{4}}}};
    cluster.rule = {.block = 256, .tile = 4096, .grid = GridRule::rows, .blocks_per_row = 4, .cluster = 4};
    tune(h200_, rows, 1 << 22, cluster);
    const Catalog catalog = open();
    const DeviceInfo h100 = known("NVIDIA H100 PCIe");
    EXPECT_EQ(catalog.select(rows, h100).find(1 << 22)->rule->cluster, 4U);
    EXPECT_EQ(catalog.select(rows, known("NVIDIA A100-SXM4-80GB")).find(1 << 22)->rule->cluster, 1U);
    DeviceInfo one = h100;
    one.sm_count = 1;
    EXPECT_EQ(catalog.select(rows, one).find(1 << 22)->rule->cluster, 1U) << "an SM may hold only one block of 256";
    const SelectOptions options{
        .occupancy = [](const OccupancyQuestion& question) { return std::optional<std::uint64_t>(question.cluster); }};
    EXPECT_EQ(catalog.select(rows, one, options).find(1 << 22)->rule->cluster, 4U);
}

TEST_F(SelectorTest, StaleResultsAreServedAndFlagged) {
    tune(h200_, sum_, 1 << 20, tile_per_block("ticket"));  // with code "hash", NVRTC 13.0, driver 580.159.04
    const Catalog catalog = open();
    const auto stale = [&](const Software& software) {
        return catalog.select(sum_, h200_, {.software = software}).find(1 << 20).value().stale;
    };
    EXPECT_FALSE(catalog.select(sum_, h200_).find(1 << 20)->stale.any());
    EXPECT_EQ(stale({"580.159.04", "13.0", {{"tile_per_block", "hash"}}}), Staleness());
    EXPECT_EQ(stale({"", "", {}}), Staleness());
    EXPECT_EQ(stale({"581.1", "", {}}), (Staleness{.driver = true}));
    EXPECT_EQ(stale({"", "13.1", {}}), (Staleness{.nvrtc = true}));
    EXPECT_EQ(stale({"", "", {{"tile_per_block", "newer"}}}), (Staleness{.code = true}));
    EXPECT_EQ(stale({"", "", {{"bulk", "hash"}}}), (Staleness{.code = true})) << "the family is gone";
}

TEST_F(SelectorTest, ADeviceMustBeDescribed) {
    const Catalog catalog = open();
    DeviceInfo nameless = h200_;
    nameless.name = "";
    EXPECT_THROW(catalog.select(sum_, nameless), InputError);
    nameless.name = "NVIDIA X";
    nameless.sm_count = 0;
    EXPECT_THROW(catalog.select(sum_, nameless), InputError);
    EXPECT_EQ(catalog.find_device("NVIDIA B200")->sm_count, 148U);
    EXPECT_FALSE(catalog.find_device("NVIDIA X"));
}

TEST_F(SelectorTest, MatchesOutliveTheirSelector) {
    const Catalog catalog = open();
    const auto match = catalog.select(sum_, known("NVIDIA B200")).find(1 << 20);
    ASSERT_TRUE(match);
    EXPECT_EQ(match->device, "NVIDIA B200");
    EXPECT_GT(match->rule->block, 0U);
    EXPECT_FALSE(match->parameters.empty());
}

}  // namespace
}  // namespace redtune
