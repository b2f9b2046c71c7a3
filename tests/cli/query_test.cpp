#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {
namespace {

using nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class QueryCommandTest : public testing::Test {
  protected:
    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "query");
        return run_command(add_query_command, arguments);
    }

    void tune(const DeviceInfo& device, std::uint64_t n, double time_us, const Problem& problem = {}) {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        db::add_winner(store, device, problem, n, Regime::cold, db::candidate(), time_us);
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
    EXPECT_THAT(outcome.err, Not(HasSubstr("Not tuned")));
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

TEST_F(QueryCommandTest, PrintsTableCsvAndMarkdown) {
    tune(db::h200(), 1 << 20, 2);
    EXPECT_THAT(run(with({"--n", "1Mi"})).out, HasSubstr("block=256, unroll=4"));
    EXPECT_THAT(run(with({"--n", "1Mi", "--format", "csv"})).out, HasSubstr("NVIDIA H200,sum,f32,1048576,cold,"));
    EXPECT_THAT(run(with({"--n", "3Mi", "--format", "md"})).out, HasSubstr("beyond"));
}

TEST_F(QueryCommandTest, SaysOnWhichDataTheWinnerWasCompared) {
    tune(db::h200(), 1 << 20, 2);
    const auto of_earlier_version = ordered_json::parse(run(with({"--n", "1Mi", "--format", "json"})).out);
    EXPECT_EQ(of_earlier_version["data"].dump(), R"({"uniform":null})");
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        const std::int64_t id = store.winners().at(0).measurement.id;
        store.set_winner(1, 1 << 20, Regime::cold, Determinism::any, id, "time", std::nullopt, std::nullopt,
                         {{"uniform", 1.02}, {"outlier", 1.0}});
    }
    EXPECT_THAT(run(with({"--n", "1Mi"})).out,
                HasSubstr("uniform (1.020 times the best), outlier (1.000 times the best)"));
    const auto object = ordered_json::parse(run(with({"--n", "1Mi", "--format", "json"})).out);
    EXPECT_EQ(object["data"].dump(), R"({"uniform":1.02,"outlier":1.0})");
}

TEST_F(QueryCommandTest, WhatIsNotTunedIsAnsweredByALowerRungThatIsNamed) {
    tune(db::h200(), 1 << 20, 2);
    for (const char* device : {"NVIDIA A100-SXM4-80GB", "NVIDIA GeForce RTX 4090", "NVIDIA B200", "l4"}) {
        const Outcome other =
            run({"--op", "sum", "--dtype", "f32", "--n", "1Mi", "--format", "json", "--device", device});
        EXPECT_EQ(other.exit_code, done) << other.err;
        const auto object = ordered_json::parse(other.out);
        EXPECT_EQ(object["match"], "default_rule");
        EXPECT_TRUE(object["expected_us"].is_null());
        EXPECT_TRUE(object["tuned_device"].is_null());
        EXPECT_GT(object["grid"], 0);
        EXPECT_THAT(other.err, HasSubstr("The answer is a rule of thumb."));
        EXPECT_THAT(other.err, HasSubstr("\n  redtune tune --op sum --dtype f32 "));
    }
}

TEST_F(QueryCommandTest, JsonEndsWithTheOriginAndWhatIsStale) {
    tune(db::h200(), 1 << 20, 2);
    const Outcome outcome = run(with({"--n", "1Mi", "--format", "json"}));
    const auto object = ordered_json::parse(outcome.out);
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    ASSERT_GE(keys.size(), 5U);
    EXPECT_EQ(std::vector<std::string>(keys.end() - 5, keys.end()),
              (std::vector<std::string>{"tuned_device", "tuned_op", "tuned_dtype", "tuned_regime", "stale"}));
    EXPECT_EQ(object["tuned_device"], "NVIDIA H200");
    EXPECT_EQ(object["tuned_op"], "sum");
    EXPECT_EQ(object["stale"].dump(), R"(["code"])") << "the fixture's code hash is no true one";
    EXPECT_THAT(outcome.err, HasSubstr("differs: code"));
    EXPECT_THAT(run(with({"--n", "1Mi", "--format", "csv"})).out, HasSubstr("NVIDIA H200,sum,f32,cold,code\r\n"));
}

TEST_F(QueryCommandTest, LimitsRuleOutConfigurations) {
    tune(db::h200(), 1 << 20, 2);  // waits for other blocks, and needs 520 bytes of workspace
    const auto kind = [&](std::vector<std::string> more) {
        const std::vector<std::string> common{"--n", "1Mi", "--format", "json"};
        more.insert(more.begin(), common.begin(), common.end());
        const Outcome outcome = run(with(more));
        return outcome.exit_code == done ? ordered_json::parse(outcome.out)["match"].get<std::string>() : outcome.err;
    };
    EXPECT_EQ(kind({"--max-workspace", "520"}), "exact");
    EXPECT_EQ(kind({"--max-workspace", "519"}), "default_rule");
    EXPECT_EQ(kind({"--no-forward-progress"}), "default_rule");
    EXPECT_EQ(kind({"--no-pdl"}), "exact");
    EXPECT_EQ(kind({"--match", "default_rule,exact"}), "exact");
    EXPECT_EQ(kind({"--match", "default_rule"}), "default_rule");
    EXPECT_THAT(kind({"--match", "between"}), HasSubstr("not allowed by the options"));
    EXPECT_THAT(run(with({"--n", "1Mi", "--no-forward-progress"})).err, HasSubstr("The options rule out"));
    EXPECT_THAT([&] { kind({"--match", "exactly"}); }, ThrowsMessage<InputError>(HasSubstr("did you mean 'exact'?")));
    EXPECT_THROW(kind({"--max-workspace", "small"}), InputError);
}

TEST_F(QueryCommandTest, ARefusalSaysWhyAndListsWhatIsTuned) {
    tune(db::h200(), 1 << 20, 2);
    const Outcome regime = run(with({"--n", "1Mi", "--regime", "warm", "--match", "exact,between,beyond"}));
    EXPECT_EQ(regime.exit_code, nothing_found);
    EXPECT_EQ(regime.out, "");
    EXPECT_THAT(regime.err, HasSubstr("exact, between, beyond: nothing is known."));
    EXPECT_THAT(regime.err, HasSubstr("--op sum --dtype f32 --determinism any --regime cold (n = 1Mi to 1Mi)"));
    const Outcome workspace = run(with({"--n", "1Mi", "--max-workspace", "100"}));
    EXPECT_EQ(workspace.exit_code, nothing_found);
    EXPECT_THAT(workspace.err, HasSubstr("needs more workspace than the allowed 100 bytes, at least "));
}

TEST_F(QueryCommandTest, ARefusalListsOneLineForEachOperatorAndTheCommandThatHelps) {
    for (const char* op : {"sum", "max", "argmin"}) {
        for (const std::string& type : type_names()) {
            for (const std::uint64_t n : {1 << 10, 1 << 20}) tune(db::h200(), n, 2, make_problem(op, parse_type(type)));
        }
    }
    const Outcome miss = run({"--op", "mean", "--dtype", "u8", "--n", "1Mi", "--device", "h200", "--match", "exact"});
    EXPECT_EQ(miss.exit_code, nothing_found);
    EXPECT_THAT(miss.err, HasSubstr("  --op max --dtype i8,u8,i16,u16,i32,u32,i64,u64,+4 --determinism any "
                                    "--regime cold (n = 1Ki to 1Mi)\n"));
    EXPECT_THAT(miss.err, HasSubstr("\n  redtune tune --op mean --dtype u8 "));
    std::istringstream lines(miss.err);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_LT(line.size(), 200U) << line;
    EXPECT_EQ(count, 9U) << miss.err;
}

TEST_F(QueryCommandTest, ADeviceIsAnyUniquePartOfItsName) {
    tune(db::h200(), 1 << 20, 2);
    for (const char* device : {"h200", "H200", "nvidia-h200", "NVIDIA H200"}) {
        const Outcome outcome =
            run({"--op", "sum", "--dtype", "f32", "--n", "1Mi", "--format", "json", "--device", device});
        EXPECT_EQ(outcome.exit_code, done) << device << outcome.err;
        EXPECT_EQ(ordered_json::parse(outcome.out)["device"], "NVIDIA H200");
    }
    EXPECT_THAT(
        [] {
            run({"--n", "1Mi", "--device", "h20o"});
        },
        ThrowsMessage<InputError>(AllOf(HasSubstr("did you mean 'H200'?"), HasSubstr("tuned: \"NVIDIA H200\""),
                                        HasSubstr("\"NVIDIA B200\""))));
    EXPECT_THROW(run({"--n", "1Mi", "--device", "99"}), DeviceError);
    DeviceInfo other = db::h200();
    other.name = "NVIDIA H100";
    tune(other, 1 << 20, 2);
    EXPECT_THAT(
        [] {
            run({"--n", "1Mi", "--device", "h"});
        },
        ThrowsMessage<InputError>(HasSubstr("\"NVIDIA H100\", \"NVIDIA H200\"")));
}

TEST_F(QueryCommandTest, AWarmInputBeyondTheL2IsSaidToBeInMemory) {
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::warm, db::candidate(), 2);
    }
    const Outcome beyond = run(with({"--n", "64Mi", "--regime", "warm"}));
    EXPECT_EQ(beyond.exit_code, done);
    EXPECT_THAT(beyond.err, HasSubstr("256MiB of input do not fit into the L2 cache of NVIDIA H200 (60MiB)"));
    EXPECT_THAT(beyond.err, HasSubstr("The answer is the warm winner of n = 1Mi."));
    EXPECT_THAT(run(with({"--n", "1Mi", "--regime", "warm"})).err, Not(HasSubstr("do not fit")));
}

TEST_F(QueryCommandTest, FindsWinnersOfTheRegimeBackToBack) {
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::back_to_back, db::candidate(), 2);
    }
    const Outcome found = run(with({"--n", "1Mi", "--regime", "back_to_back", "--format", "json"}));
    EXPECT_EQ(found.exit_code, done) << found.err;
    EXPECT_EQ(ordered_json::parse(found.out)["regime"], "back_to_back");
    const Outcome cold = run(with({"--n", "1Mi", "--match", "exact"}));
    EXPECT_EQ(cold.exit_code, nothing_found);
    EXPECT_THAT(cold.err, HasSubstr("--op sum --dtype f32 --determinism any --regime back_to_back (n = 1Mi to 1Mi)"));
}

TEST_F(QueryCommandTest, FindsWinnersByShapeTypesAndOperator) {
    Problem problem = make_problem("dot", Type::f16, Type::f64);
    problem.row_length = 32;
    tune(db::h200(), 1'000'000, 2, problem);
    const std::vector<std::string> common = {
        "--op", "dot", "--dtype", "f16", "--accumulator", "f64", "--format", "json", "--device", "NVIDIA H200", "--n"};
    const auto query = [&](const char* n, const char* shape) {
        std::vector<std::string> arguments = common;
        arguments.insert(arguments.end(), {n, "--shape", shape});
        return run(arguments);
    };
    const auto exact = ordered_json::parse(query("1000000", "rows:32").out);
    EXPECT_EQ(exact["op"], "dot");
    EXPECT_EQ(exact["match"], "exact");
    EXPECT_EQ(exact["shape"], "rows:32");
    EXPECT_EQ(exact["tuned_row_length"], 32);
    EXPECT_EQ(exact["accumulator"], "f64");
    EXPECT_EQ(exact["output"], "f64");
    EXPECT_EQ(exact["gb_per_s"], 2000.0) << "of both arrays";
    const auto near = ordered_json::parse(query("1000000", "rows:64").out);
    EXPECT_NE(near["match"], "exact") << "another length is never exact";
    EXPECT_EQ(near["shape"], "rows:64");
    std::vector<std::string> whole = common;
    whole.insert(whole.end(), {"1000000", "--match", "exact"});
    EXPECT_THAT(run(whole).err,
                HasSubstr("--op dot --dtype f16 --accumulator f64 --output f64 --shape rows:32 --determinism any "
                          "--regime cold (n = 1000000 to 1000000)"));
    EXPECT_THAT([&] { query("1000001", "rows:32"); },
                ThrowsMessage<InputError>(HasSubstr("1000001 elements are not a whole number of rows of 32")));
}

TEST_F(QueryCommandTest, KernelsThatOverwriteTheInputAreFoundOnlyOnRequest) {
    Problem problem;
    problem.destructive = true;
    tune(db::h200(), 1 << 20, 2, problem);
    const Outcome without = run(with({"--n", "1Mi", "--match", "exact"}));
    EXPECT_EQ(without.exit_code, nothing_found);
    EXPECT_THAT(without.err, HasSubstr("--destructive"));
    EXPECT_EQ(run(with({"--n", "1Mi", "--destructive"})).exit_code, done);
}

TEST_F(QueryCommandTest, AUsersOperatorIsFoundByItsFile) {
    Problem problem;
    problem.op = "sum_of_cubes";
    tune(db::h200(), 1 << 20, 2, problem);
    const std::string file = test::source_path("examples/sum_of_cubes.cuh");
    const Outcome outcome = run({"--op-file", file, "--n", "1Mi", "--device", "NVIDIA H200"});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_THAT(outcome.out, HasSubstr("sum_of_cubes"));
}

TEST_F(QueryCommandTest, WithoutAGpuTheOnlyTunedDeviceIsTaken) {
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

TEST_F(QueryCommandTest, TheGivenDatabaseReplacesTheUsersDatabase) {
    tune(db::h200(), 1 << 20, 2);
    db::ScopedVariable none("REDTUNE_DB", (folder_ / "none.db").c_str());
    db::ScopedVariable no_data("REDTUNE_SYSTEM_DATA", "/none");
    EXPECT_EQ(run(with({"--n", "1Mi", "--match", "exact"})).exit_code, nothing_found);
    EXPECT_EQ(run(with({"--n", "1Mi", "--match", "exact", "--db", user_.string()})).exit_code, done);
    EXPECT_THROW(run(with({"--n", "1Mi", "--db", "missing.db"})), DatabaseError);
}

TEST_F(QueryCommandTest, RefusesWrongArguments) {
    EXPECT_THROW(run({"--op", "sum", "--dtype", "f32"}), CLI::ParseError);
    EXPECT_THAT(
        [] {
            run({"--op", "summ", "--dtype", "f32", "--n", "1"});
        },
        ThrowsMessage<InputError>(HasSubstr("allowed are sum, product")));
    EXPECT_THAT(
        [] {
            run({"--op", "bit_xor", "--dtype", "f32", "--n", "1"});
        },
        ThrowsMessage<InputError>(HasSubstr("bit_xor makes no sense of f32")));
    EXPECT_THAT(
        [&] {
            run(with({"--n", "1", "--accumulator", "i64"}));
        },
        ThrowsMessage<InputError>(HasSubstr("allowed are f32 to f32, f64 to f64")));
    EXPECT_THAT(
        [&] {
            run(with({"--n", "1", "--shape", "columns"}));
        },
        ThrowsMessage<InputError>(HasSubstr("'whole', 'rows:LENGTH'")));
    EXPECT_THAT(
        [] {
            run({"--op-file", "/nonexistent/own.cuh", "--n", "1"});
        },
        ThrowsMessage<InputError>(HasSubstr("cannot be read")));
    EXPECT_THAT(
        [] {
            run({"--dtype", "f32,i32", "--n", "1"});
        },
        ThrowsMessage<InputError>(HasSubstr("one input type")));
    EXPECT_THROW(run(with({"--n", "1", "--template", "a.cuh"})), CLI::ParseError) << "no family is looked at";
    EXPECT_THROW(run({"--op", "sum", "--dtype", "f33", "--n", "1"}), InputError);
    EXPECT_THROW(run(with({"--n", "many"})), InputError);
    EXPECT_THROW(run(with({"--n", "1", "--regime", "hot"})), InputError);
    EXPECT_THROW(run(with({"--n", "1", "--determinism", "some"})), InputError);
}

}  // namespace
}  // namespace redtune::cli
