#include "tuner/lookup/snapshot.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::lookup {
namespace {

db::StoredWinner winner(std::uint64_t n, double time_us, Determinism determinism = Determinism::any,
                        Regime regime = Regime::cold) {
    db::StoredWinner made;
    made.device = db::h200();
    made.problem.determinism = determinism;
    made.n = n;
    made.regime = regime;
    made.measurement.configuration = db::candidate().configuration;
    made.measurement.rule = db::candidate().rule;
    made.measurement.measurement = db::measurement(time_us);
    return made;
}

std::vector<std::pair<std::uint64_t, double>> sizes_and_times(const Snapshot& snapshot, Determinism determinism,
                                                              Regime regime = Regime::cold) {
    Problem problem;
    problem.determinism = determinism;
    std::vector<std::pair<std::uint64_t, double>> found;
    if (const TunedSizes* tuned = snapshot.find("NVIDIA H200", problem, regime)) {
        for (const TunedSize& size : tuned->sizes) found.emplace_back(size.n, size.time_us);
    }
    return found;
}

using Content = std::vector<std::pair<std::uint64_t, double>>;

TEST(Snapshot, WithoutWinnersFindsNothing) {
    const Snapshot snapshot({});
    EXPECT_TRUE(snapshot.all().empty());
    EXPECT_EQ(snapshot.find("NVIDIA H200", {}, Regime::cold), nullptr);
}

TEST(Snapshot, TheFirstLayerTakesPrecedenceAtEachSize) {
    const Snapshot snapshot({{winner(10, 1)}, {winner(10, 2), winner(20, 3)}, {winner(20, 4), winner(5, 5)}});
    EXPECT_EQ(sizes_and_times(snapshot, Determinism::any), (Content{{5, 5}, {10, 1}, {20, 3}}));
}

TEST(Snapshot, AReplayHidesNoWinnerThatAGpuMeasured) {
    db::StoredWinner replayed = winner(10, 1);
    replayed.source = "replay:nvidia-h200";
    db::StoredWinner only_replayed = winner(20, 3);
    only_replayed.source = "replay:nvidia-h200";
    const Snapshot snapshot({{replayed, only_replayed}, {winner(10, 2)}});
    EXPECT_EQ(sizes_and_times(snapshot, Determinism::any), (Content{{10, 2}, {20, 3}}));
}

/// pick() passes over a size that serves exact matches only, so its winner is no neighbour of the next size.
TEST(Snapshot, TimesOfNeighboursPassOverSizesForExactMatches) {
    db::StoredWinner low = winner(1001, 2);
    low.finalist_times = {{1001, 2}, {2001, 5}};
    db::StoredWinner exact = winner(2000, 3);
    exact.finalist_times = {{2000, 3}, {2001, 7}, {4001, 9}};
    db::StoredWinner high = winner(2001, 4);
    high.finalist_times = {{1001, 6}, {2001, 4}, {4001, 8}};
    const Snapshot snapshot({{low, exact, high, winner(4001, 7)}});
    const std::vector<TunedSize>& sizes = snapshot.read(snapshot.all()[0]).sizes;
    ASSERT_EQ(sizes.size(), 4U);
    EXPECT_EQ(sizes[0].of_upper_winner_us, 6);
    EXPECT_EQ(sizes[2].of_lower_winner_us, 5) << "of the winner of 1001, not of 2000";
    EXPECT_EQ(sizes[3].of_lower_winner_us, 8);
    EXPECT_EQ(sizes[1].of_lower_winner_us + sizes[1].of_upper_winner_us, 0);
}

TEST(Snapshot, ReadsWinnersOnceWhenTheyAreAskedForAndAgainAfterAFailure) {
    int reads = 0;
    const db::StoredWinner made = winner(10, 1, Determinism::run_to_run);
    const auto read = [&] {
        if (++reads == 1) throw DatabaseError("damaged");
        return std::vector<db::StoredWinner>{made};
    };
    const Snapshot snapshot =
        Snapshot::read_on_demand({{{{made.device, made.problem, made.regime}, read}}, group_winners({winner(20, 2)})});
    EXPECT_EQ(snapshot.all().size(), 2U);
    EXPECT_EQ(sizes_and_times(snapshot, Determinism::any), (Content{{20, 2}}));
    EXPECT_EQ(reads, 0) << "nobody asked for them";
    EXPECT_THROW(sizes_and_times(snapshot, Determinism::run_to_run), DatabaseError);
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(sizes_and_times(snapshot, Determinism::run_to_run), (Content{{10, 1}}));
    }
    EXPECT_EQ(reads, 2);
}

TEST(Snapshot, SeparatesRegimesTypesAndDevices) {
    db::StoredWinner other_device = winner(1, 2);
    other_device.device.name = "NVIDIA L4";
    db::StoredWinner integers = winner(1, 3);
    integers.problem.input = Type::i32;
    const Snapshot snapshot({{winner(1, 1), winner(1, 4, Determinism::any, Regime::warm), other_device, integers}});
    EXPECT_EQ(snapshot.all().size(), 4U);
    EXPECT_EQ(sizes_and_times(snapshot, Determinism::any), (Content{{1, 1}}));
    EXPECT_EQ(sizes_and_times(snapshot, Determinism::any, Regime::warm), (Content{{1, 4}}));
    EXPECT_EQ(snapshot.find("NVIDIA L4", {}, Regime::cold)->sizes[0].time_us, 2);
    EXPECT_EQ(snapshot.find("NVIDIA", {}, Regime::cold), nullptr);
}

TEST(Snapshot, AMigSliceNeverStandsForTheWholeDevice) {
    db::StoredWinner slice = winner(10, 1);
    slice.device.sm_count = 16;
    slice.device.mig_profile = "1g.18gb";
    EXPECT_EQ(sizes_and_times(Snapshot({{slice, winner(10, 2)}}), Determinism::any), (Content{{10, 2}}));
    EXPECT_EQ(sizes_and_times(Snapshot({{winner(10, 2), slice}}), Determinism::any), (Content{{10, 2}}));
}

TEST(Snapshot, TheLatestMeasurementOfEqualDevicesIsKept) {
    db::StoredWinner later = winner(10, 2);
    later.measurement.measurement.measured_at = "2027-01-01T00:00:00Z";
    EXPECT_EQ(sizes_and_times(Snapshot({{later, winner(10, 1)}}), Determinism::any), (Content{{10, 2}}));
    EXPECT_EQ(sizes_and_times(Snapshot({{winner(10, 1), later}}), Determinism::any), (Content{{10, 2}}));
}

TEST(Snapshot, RunToRunWinnersAreUsedForAnyIfThereAreNoOthers) {
    const Snapshot strict_only({{winner(10, 1, Determinism::run_to_run)}});
    EXPECT_EQ(sizes_and_times(strict_only, Determinism::any), (Content{{10, 1}}));
    EXPECT_EQ(sizes_and_times(strict_only, Determinism::run_to_run), (Content{{10, 1}}));

    const Snapshot both({{winner(10, 1, Determinism::run_to_run), winner(20, 2, Determinism::any)}});
    EXPECT_EQ(sizes_and_times(both, Determinism::any), (Content{{20, 2}}));
    EXPECT_EQ(sizes_and_times(both, Determinism::run_to_run), (Content{{10, 1}}));

    const Snapshot any_only({{winner(10, 1, Determinism::any)}});
    EXPECT_EQ(sizes_and_times(any_only, Determinism::run_to_run), Content{});
}

db::StoredWinner row_winner(std::uint64_t row_length, double time_us, bool destructive = false) {
    db::StoredWinner made = winner(1 << 20, time_us);
    made.problem.row_length = row_length;
    made.problem.destructive = destructive;
    return made;
}

/// Returns the row length of the tuned sizes that a look-up finds; empty if it finds none.
std::optional<std::uint64_t> found_row_length(const Snapshot& snapshot, std::uint64_t row_length,
                                              bool destructive = false) {
    Problem problem;
    problem.row_length = row_length;
    problem.destructive = destructive;
    const TunedSizes* found = snapshot.find("NVIDIA H200", problem, Regime::cold);
    return found == nullptr ? std::nullopt : std::optional(found->problem.row_length);
}

TEST(Snapshot, UntunedRowLengthsUseTheNearestInLog) {
    const Snapshot snapshot({{row_winner(32, 1), row_winner(128, 2), row_winner(4096, 3)}});
    EXPECT_EQ(found_row_length(snapshot, 2), 32U);
    EXPECT_EQ(found_row_length(snapshot, 32), 32U);
    EXPECT_EQ(found_row_length(snapshot, 63), 32U);
    EXPECT_EQ(found_row_length(snapshot, 64), 128U) << "of equals the longer";
    EXPECT_EQ(found_row_length(snapshot, 65), 128U);
    EXPECT_EQ(found_row_length(snapshot, 128), 128U);
    EXPECT_EQ(found_row_length(snapshot, 724), 128U);
    EXPECT_EQ(found_row_length(snapshot, 725), 4096U);
    EXPECT_EQ(found_row_length(snapshot, std::uint64_t{1} << 40), 4096U);
}

TEST(Snapshot, RowsAndWholeArraysAreSeparate) {
    EXPECT_EQ(found_row_length(Snapshot({{row_winner(32, 1)}}), 0), std::nullopt);
    EXPECT_EQ(found_row_length(Snapshot({{row_winner(0, 1)}}), 32), std::nullopt);
    const Snapshot both({{row_winner(0, 1), row_winner(32, 2)}});
    EXPECT_EQ(found_row_length(both, 0), 0U);
    EXPECT_EQ(found_row_length(both, 2), 32U) << "a whole array has length 0, which is near nothing";
}

TEST(Snapshot, TheNearestLengthIsOfTheSameProblemOtherwise) {
    for (const auto& change :
         std::vector<void (*)(db::StoredWinner&)>{[](db::StoredWinner& w) { w.problem.op = "max"; },
                                                  [](db::StoredWinner& w) { w.problem.input = Type::f16; },
                                                  [](db::StoredWinner& w) { w.problem.accumulator = Type::f64; },
                                                  [](db::StoredWinner& w) { w.problem.output = Type::f64; },
                                                  [](db::StoredWinner& w) { w.problem.arrays = 2; },
                                                  [](db::StoredWinner& w) {
                                                      w.problem.determinism = Determinism::any;
                                                      w.regime = Regime::warm;
                                                  },
                                                  [](db::StoredWinner& w) { w.device.name = "NVIDIA H100"; },
                                                  [](db::StoredWinner& w) { w.device.name = "NVIDIA H200 NVL"; }}) {
        db::StoredWinner other = row_winner(64, 1);
        change(other);
        EXPECT_EQ(found_row_length(Snapshot({{other}}), 64), std::nullopt);
        EXPECT_EQ(found_row_length(Snapshot({{other, row_winner(1024, 2)}}), 64), 1024U);
    }
}

TEST(Snapshot, DestructiveWinnersAreForDestructiveProblemsOnly) {
    const Snapshot destructive_only({{row_winner(0, 1, true), row_winner(32, 1, true)}});
    EXPECT_EQ(found_row_length(destructive_only, 0, false), std::nullopt);
    EXPECT_EQ(found_row_length(destructive_only, 32, false), std::nullopt);
    EXPECT_EQ(found_row_length(destructive_only, 0, true), 0U);
    EXPECT_EQ(found_row_length(destructive_only, 32, true), 32U);
}

TEST(Snapshot, DestructiveProblemsFallBackToOtherWinners) {
    const Snapshot harmless_only({{row_winner(0, 1)}});
    EXPECT_EQ(found_row_length(harmless_only, 0, true), 0U);
    const Snapshot both({{row_winner(0, 1), row_winner(0, 2, true)}});
    Problem problem;
    EXPECT_EQ(both.find("NVIDIA H200", problem, Regime::cold)->sizes[0].time_us, 1);
    problem.destructive = true;
    EXPECT_EQ(both.find("NVIDIA H200", problem, Regime::cold)->sizes[0].time_us, 2);
}

RC_GTEST_PROP(Snapshot, NoTunedLengthIsNearerThanTheOneFound, ()) {
    const auto lengths = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(
        rc::gen::map(rc::gen::inRange(1, 40), [](int bits) { return (std::uint64_t{1} << bits) + 5; })));
    std::vector<db::StoredWinner> winners;
    for (const std::uint64_t length : lengths) {
        winners.push_back(row_winner(length, 1));
        // These winners are neighbours in sort order, but a look-up must not find them.
        winners.push_back(row_winner(length + 1, 1, true));
        winners.push_back(row_winner(0, 1));
    }
    const auto asked = *rc::gen::inRange<std::uint64_t>(2, std::uint64_t{1} << 41);
    const auto found = found_row_length(Snapshot({winners}), asked);
    RC_ASSERT(found.has_value());
    const auto distance = [&](std::uint64_t length) {
        return std::abs(std::log(static_cast<double>(length) / static_cast<double>(asked)));
    };
    RC_ASSERT(std::find(lengths.begin(), lengths.end(), *found) != lengths.end());
    for (const std::uint64_t length : lengths) RC_ASSERT(distance(*found) <= distance(length) + 1e-12);
}

RC_GTEST_PROP(Snapshot, KeepsTheFirstLayersWinnerForEachSize, ()) {
    using Layer = std::map<std::uint64_t, std::uint32_t>;
    const auto layers = *rc::gen::container<std::vector<Layer>>(rc::gen::container<Layer>(
        rc::gen::resize(100, rc::gen::inRange<std::uint64_t>(0, 1000)), rc::gen::inRange<std::uint32_t>(1, 1000)));
    Layer expected;
    std::vector<std::vector<db::StoredWinner>> given;
    for (const Layer& layer : layers) {
        expected.insert(layer.begin(), layer.end());  // std::map::insert() does not replace elements of earlier layers
        auto& winners = given.emplace_back();
        for (const auto& [n, time_us] : layer) winners.push_back(winner(n, time_us));
        if (*rc::gen::arbitrary<bool>()) std::reverse(winners.begin(), winners.end());
    }
    const Content found = sizes_and_times(Snapshot(std::move(given)), Determinism::any);
    RC_ASSERT(found == Content(expected.begin(), expected.end()));
}

}  // namespace
}  // namespace redtune::lookup
