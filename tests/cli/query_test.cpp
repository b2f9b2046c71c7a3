#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::ThrowsMessage;

class QueryCommandTest : public testing::Test {
  protected:
    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "query");
        return run_command(add_query_command, arguments);
    }

    void tune(const DeviceInfo& device, std::uint64_t n, double time_us) {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        db::add_winner(store, device, {}, n, Regime::cold, db::candidate(), time_us);
    }

    db::TemporaryFolder folder_;
    std::filesystem::path user_ = folder_ / "user.db";
    db::ScopedVariable file_{"REDTUNE_DB", user_.c_str()};
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", folder_.path().c_str()};
    std::vector<std::string> sum_{"--op", "sum", "--dtype", "f32", "--device", "NVIDIA H200"};

    std::vector<std::string> with(std::vector<std::string> more) const {
        more.insert(more.begin(), sum_.begin(), sum_.end());
        return more;
    }
};

TEST_F(QueryCommandTest, JsonIsOneObjectThatBeginsWithTheAgreedKeys) {
    tune(db::h200(), 1'000'000, 2);
    const Outcome outcome = run(with({"--n", "1000000", "--format", "json"}));
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_EQ(outcome.err, "");
    const auto object = ordered_json::parse(outcome.out);
    const std::vector<std::string> agreed{"device", "op",          "dtype",    "n",          "regime",
                                          "family", "parameters",  "grid",     "block",      "shared_bytes",
                                          "match",  "expected_us", "gb_per_s", "measured_at"};
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    ASSERT_GE(keys.size(), agreed.size());
    keys.resize(agreed.size());
    EXPECT_EQ(keys, agreed);
    EXPECT_EQ(object["n"], 1'000'000);
    EXPECT_EQ(object["parameters"].dump(), R"({"block":256,"unroll":4,"finish":"publish","blocks_per_sm":0.5})");
    EXPECT_EQ(object["match"], "exact");
    EXPECT_EQ(object["expected_us"], 2.0);
    EXPECT_EQ(object["gb_per_s"], 2000.0);
    EXPECT_EQ(object["grid"], 66);
    EXPECT_EQ(object["shared_bytes"], 128);
}

TEST_F(QueryCommandTest, PrintsForPeopleAndSpreadsheets) {
    tune(db::h200(), 1 << 20, 2);
    EXPECT_THAT(run(with({"--n", "1Mi"})).out, HasSubstr("block=256, unroll=4"));
    EXPECT_THAT(run(with({"--n", "1Mi", "--format", "csv"})).out, HasSubstr("NVIDIA H200,sum,f32,1048576,cold,"));
    EXPECT_THAT(run(with({"--n", "3Mi", "--format", "md"})).out, HasSubstr("beyond"));
}

TEST_F(QueryCommandTest, NothingFoundListsWhatThereIs) {
    tune(db::h200(), 1 << 20, 2);
    const Outcome device = run({"--op", "sum", "--dtype", "f32", "--n", "1Mi", "--device", "NVIDIA L4"});
    EXPECT_EQ(device.exit_code, nothing_found);
    EXPECT_EQ(device.out, "");
    EXPECT_THAT(device.err, HasSubstr("\"NVIDIA H200\""));
    const Outcome regime = run(with({"--n", "1Mi", "--regime", "warm"}));
    EXPECT_EQ(regime.exit_code, nothing_found);
    EXPECT_THAT(regime.err, HasSubstr("--op sum --dtype f32 --regime cold"));
}

TEST_F(QueryCommandTest, WithoutAGpuTheOneTunedDeviceIsMeant) {
    if (!gpu::list_devices().empty()) GTEST_SKIP() << "there is a GPU";
    const std::vector<std::string> arguments{"--op", "sum", "--dtype", "f32", "--n", "1Mi"};
    EXPECT_THROW(run(arguments), InputError);
    tune(db::h200(), 1 << 20, 2);
    const Outcome one = run(arguments);
    EXPECT_EQ(one.exit_code, done);
    EXPECT_THAT(one.err, HasSubstr("NVIDIA H200"));
    DeviceInfo other = db::h200();
    other.name = "NVIDIA L4";
    tune(other, 1 << 20, 2);
    EXPECT_THAT([&] { run(arguments); }, ThrowsMessage<InputError>(HasSubstr("\"NVIDIA H200\", \"NVIDIA L4\"")));
}

TEST_F(QueryCommandTest, TheGivenDatabaseTakesThePlaceOfTheUsers) {
    tune(db::h200(), 1 << 20, 2);
    db::ScopedVariable none("REDTUNE_DB", (folder_ / "none.db").c_str());
    db::ScopedVariable no_data("REDTUNE_SYSTEM_DATA", "/none");
    EXPECT_EQ(run(with({"--n", "1Mi"})).exit_code, nothing_found);
    EXPECT_EQ(run(with({"--n", "1Mi", "--db", user_.string()})).exit_code, done);
    EXPECT_THROW(run(with({"--n", "1Mi", "--db", "missing.db"})), DatabaseError);
}

TEST_F(QueryCommandTest, RefusesWhatItDoesNotKnow) {
    EXPECT_THROW(run({"--op", "sum", "--dtype", "f32"}), CLI::ParseError);
    EXPECT_THROW(run({"--op", "product", "--dtype", "f32", "--n", "1"}), InputError);
    EXPECT_THROW(run({"--op", "sum", "--dtype", "f33", "--n", "1"}), InputError);
    EXPECT_THROW(run(with({"--n", "many"})), InputError);
    EXPECT_THROW(run(with({"--n", "1", "--regime", "hot"})), InputError);
    EXPECT_THROW(run(with({"--n", "1", "--determinism", "some"})), InputError);
}

}  // namespace
}  // namespace redtune::cli
