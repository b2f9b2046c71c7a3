#include "tuner/lookup/snapshot.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

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

std::vector<std::pair<std::uint64_t, double>> content(const Snapshot& snapshot, Determinism determinism,
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

TEST(Snapshot, OfNothingKnowsNothing) {
    const Snapshot snapshot({});
    EXPECT_TRUE(snapshot.all().empty());
    EXPECT_EQ(snapshot.find("NVIDIA H200", {}, Regime::cold), nullptr);
}

TEST(Snapshot, TheFirstLayerWinsSizeBySize) {
    const Snapshot snapshot({{winner(10, 1)}, {winner(10, 2), winner(20, 3)}, {winner(20, 4), winner(5, 5)}});
    EXPECT_EQ(content(snapshot, Determinism::any), (Content{{5, 5}, {10, 1}, {20, 3}}));
}

TEST(Snapshot, KeepsRegimesTypesAndDevicesApart) {
    db::StoredWinner other_device = winner(1, 2);
    other_device.device.name = "NVIDIA L4";
    db::StoredWinner integers = winner(1, 3);
    integers.problem.input = Type::i32;
    const Snapshot snapshot({{winner(1, 1), winner(1, 4, Determinism::any, Regime::warm), other_device, integers}});
    EXPECT_EQ(snapshot.all().size(), 4U);
    EXPECT_EQ(content(snapshot, Determinism::any), (Content{{1, 1}}));
    EXPECT_EQ(content(snapshot, Determinism::any, Regime::warm), (Content{{1, 4}}));
    EXPECT_EQ(snapshot.find("NVIDIA L4", {}, Regime::cold)->sizes[0].time_us, 2);
    EXPECT_EQ(snapshot.find("NVIDIA", {}, Regime::cold), nullptr);
}

TEST(Snapshot, ASliceNeverStandsForTheWholeDevice) {
    db::StoredWinner slice = winner(10, 1);
    slice.device.sm_count = 16;
    slice.device.mig_profile = "1g.18gb";
    EXPECT_EQ(content(Snapshot({{slice, winner(10, 2)}}), Determinism::any), (Content{{10, 2}}));
    EXPECT_EQ(content(Snapshot({{winner(10, 2), slice}}), Determinism::any), (Content{{10, 2}}));
}

TEST(Snapshot, OfEqualDevicesTheLatestMeasuredCounts) {
    db::StoredWinner later = winner(10, 2);
    later.measurement.measurement.measured_at = "2027-01-01T00:00:00Z";
    EXPECT_EQ(content(Snapshot({{later, winner(10, 1)}}), Determinism::any), (Content{{10, 2}}));
    EXPECT_EQ(content(Snapshot({{winner(10, 1), later}}), Determinism::any), (Content{{10, 2}}));
}

TEST(Snapshot, RunToRunAnswersForAnyOnlyWhereNothingElseDoes) {
    const Snapshot strict_only({{winner(10, 1, Determinism::run_to_run)}});
    EXPECT_EQ(content(strict_only, Determinism::any), (Content{{10, 1}}));
    EXPECT_EQ(content(strict_only, Determinism::run_to_run), (Content{{10, 1}}));

    const Snapshot both({{winner(10, 1, Determinism::run_to_run), winner(20, 2, Determinism::any)}});
    EXPECT_EQ(content(both, Determinism::any), (Content{{20, 2}}));
    EXPECT_EQ(content(both, Determinism::run_to_run), (Content{{10, 1}}));

    const Snapshot any_only({{winner(10, 1, Determinism::any)}});
    EXPECT_EQ(content(any_only, Determinism::run_to_run), Content{});
}

RC_GTEST_PROP(Snapshot, HoldsForEachSizeTheFirstLayerThatHasIt, ()) {
    using Layer = std::map<std::uint64_t, std::uint32_t>;
    const auto layers = *rc::gen::container<std::vector<Layer>>(rc::gen::container<Layer>(
        rc::gen::resize(100, rc::gen::inRange<std::uint64_t>(0, 1000)), rc::gen::inRange<std::uint32_t>(1, 1000)));
    Layer expected;
    std::vector<std::vector<db::StoredWinner>> given;
    for (const Layer& layer : layers) {
        expected.insert(layer.begin(), layer.end());  // leaves what is there
        auto& winners = given.emplace_back();
        for (const auto& [n, time_us] : layer) winners.push_back(winner(n, time_us));
        if (*rc::gen::arbitrary<bool>()) std::reverse(winners.begin(), winners.end());
    }
    const Content found = content(Snapshot(std::move(given)), Determinism::any);
    RC_ASSERT(found == Content(expected.begin(), expected.end()));
}

}  // namespace
}  // namespace redtune::lookup
