#include "db/data_ratios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "db/connection.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

TEST(DataRatios, RoundTripInTheirOrder) {
    const std::vector<DataRatio> ratios = {
        {"uniform", 1.25}, {"file:a \"b\".bin@12345678", 1}, {"zeros", std::nullopt}};
    const std::string json = data_ratios_to_json(ratios);
    EXPECT_EQ(json, R"({"uniform":1.25,"file:a \"b\".bin@12345678":1.0,"zeros":null})");
    EXPECT_EQ(data_ratios_from_json(json), ratios);
    EXPECT_EQ(data_ratios_to_json({{"uniform", 1.0123456}}), R"({"uniform":1.0123})");
    EXPECT_EQ(data_ratios_to_json({{"uniform", std::numeric_limits<double>::infinity()}}), R"({"uniform":null})");
}

TEST(DataRatios, RefuseOtherText) {
    for (const char* text : {"", "[]", R"({"uniform":"fast"})"}) {
        EXPECT_THROW(data_ratios_from_json(text), InputError) << text;
    }
}

TEST(DataRatios, OfAWinnerAreStoredWithTheTimesOnEachData) {
    const TemporaryFolder folder;
    Store store = Store::open(folder / "a.db", Access::read_write);
    const std::int64_t sweep = store.begin_sweep(h200(), {}, toolchain(), "gpu", "redtune tune");
    const auto record = [&](const std::string& data, double time_us) {
        Measurement made = measurement(time_us);
        made.data = data;
        return store.record(sweep, candidate(), "hash", 1 << 20, Regime::cold, make_plan(candidate().rule, 1 << 20),
                            made);
    };
    const std::int64_t id = record("uniform", 10);
    record("outlier", 12);
    store.set_winner(sweep, 1 << 20, Regime::cold, Determinism::any, id, "time", std::nullopt, std::nullopt,
                     {{"uniform", 1.05}, {"outlier", 1.0}});

    const StoredWinner winner = store.winners().at(0);
    EXPECT_EQ(winner.data, (std::vector<DataRatio>{{"uniform", 1.05}, {"outlier", 1.0}}));
    const auto stored = store.measurements(h200(), {}, 1 << 20, Regime::cold);
    EXPECT_EQ(stored.at(1).measurement.data, "outlier");
    EXPECT_EQ(store.connection().text("SELECT group_concat(data || ' ' || of_best || ' ' || time_us, '; ') "
                                      "FROM winner_data"),
              "uniform 1.05 10.0; outlier 1.0 12.0");
}

}  // namespace
}  // namespace redtune::db
