#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/real_candidate.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A database of an H200 with two winners of sum of f32, whose kernels need no Hopper.
class WarmCommandTest : public testing::Test {
  protected:
    void SetUp() override {
        if (gpu::Nvrtc::find() == nullptr) GTEST_SKIP() << gpu::Nvrtc::why_missing();
        const std::vector<Family> families = jit::SourceSet::load().families();
        db::Store store = db::Store::open(folder_ / "user.db", db::Access::read_write);
        for (const std::int64_t block : {64, 128}) {
            Candidate winner = test::real_candidate(
                families, "tile_per_block", {{"block", Value(block)}, {"finish", Value(std::string("ticket"))}});
            winner.rule.continuation = Continuation::none;
            db::add_winner(store, db::h200(), {}, static_cast<std::uint64_t>(block) << 10, Regime::cold, winner, 10);
        }
    }

    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "warm");
        return run_command(add_warm_command, arguments);
    }
    /// Runs the command for the sizes of the two winners.
    static json rows(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--size", "64Ki..128Ki", "--no-device-count", "--format", "json"});
        return json::parse(run(std::move(arguments)).out);
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable database_{"REDTUNE_DB", (folder_ / "user.db").string()};
    db::ScopedVariable cache_{"REDTUNE_CACHE", (folder_ / "cache").string()};
    db::ScopedVariable no_data_{"REDTUNE_SYSTEM_DATA", (folder_ / "none").string()};
    db::ScopedVariable no_system_cache_{"REDTUNE_SYSTEM_CACHE", nullptr};
    db::ScopedVariable no_templates_{"REDTUNE_TEMPLATE_PATH", nullptr};
};

TEST_F(WarmCommandTest, CompilesOnceForEachArchitecture) {
    const json first = rows({"--arch", "sm_90,8.0"});
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0]["architecture"], "sm_80");
    EXPECT_EQ(first[1]["architecture"], "sm_90");
    for (const json& row : first) {
        EXPECT_EQ(row["problems"], 1);
        EXPECT_GE(row["kernels"], 2);
        EXPECT_EQ(row["from_cache"], 0);
        EXPECT_EQ(row["compiled"], row["kernels"]);
        EXPECT_EQ(row["failed"], 0);
        EXPECT_GT(row["cubin_bytes"], 0);
    }
    const json second = rows({"--arch", "sm_90", "--op", "sum", "--dtype", "f32"});
    EXPECT_EQ(second[0]["from_cache"], first[1]["kernels"]);
    EXPECT_EQ(second[0]["compiled"], 0);
    EXPECT_EQ(second[0]["cubin_bytes"], first[1]["cubin_bytes"]);
}

TEST_F(WarmCommandTest, OnlyTheNamedRegimesAreCompiledFor) {
    const json cold = rows({"--arch", "sm_90", "--regime", "cold"});
    EXPECT_EQ(cold[0]["kernels"], 2) << "the two winners";
    EXPECT_THAT([] { run({"--arch", "sm_90", "--regime", "hot"}); }, ThrowsMessage<InputError>(HasSubstr("cold")));
}

TEST_F(WarmCommandTest, AFolderServesAsTheSystemsCache) {
    const std::string image = folder_ / "image";
    EXPECT_EQ(rows({"--arch", "sm_90", "--folder", image})[0]["compiled"], 2);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "cache"));
    const db::ScopedVariable system("REDTUNE_SYSTEM_CACHE", image);
    EXPECT_EQ(rows({"--arch", "sm_90"})[0]["from_cache"], 2);
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "cache"));
    EXPECT_EQ(rows({"--arch", "sm_90", "--folder", folder_ / "another"})[0]["compiled"], 2)
        << "a folder must be complete by itself";
}

TEST_F(WarmCommandTest, TheKernelsForACountOnTheDeviceAreOthers) {
    const std::vector<std::string> size = {"--arch", "sm_90", "--size", "64Ki", "--format", "json"};
    std::vector<std::string> without = size;
    without.emplace_back("--no-device-count");
    const json first = json::parse(run(without).out);
    const json second = json::parse(run(size).out);
    EXPECT_EQ(second[0]["kernels"], 2 * first[0]["kernels"].get<int>());
    EXPECT_EQ(second[0]["from_cache"], first[0]["kernels"]);
}

TEST_F(WarmCommandTest, AProblemThatIsNotTunedIsCompiledIfItIsNamed) {
    const Outcome outcome = run({"--arch", "sm_90", "--op", "max"});
    EXPECT_EQ(outcome.exit_code, nothing_found);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("No tuned problem"), HasSubstr("--op sum --dtype f32")));
    EXPECT_EQ(outcome.out, "");
    const json named = rows({"--arch", "sm_90", "--op", "max", "--dtype", "f32"});
    EXPECT_EQ(named[0]["problems"], 1);
    EXPECT_GT(named[0]["compiled"], 0);
}

TEST_F(WarmCommandTest, SizesThatHaveNoWholeRowsAreNotFound) {
    const Outcome outcome =
        run({"--arch", "sm_90", "--op", "sum", "--dtype", "f32", "--shape", "rows:1000", "--size", "1001"});
    EXPECT_EQ(outcome.exit_code, nothing_found);
    EXPECT_THAT(outcome.err, HasSubstr("multiples of the length"));
}

TEST_F(WarmCommandTest, ADeviceHasItsArchitecture) {
    EXPECT_EQ(rows({"--device", "a100-pcie"})[0]["architecture"], "sm_80");
    EXPECT_EQ(rows({"--device", "a100-pcie", "--arch", "sm_80"})[0]["compiled"], 0);
}

TEST_F(WarmCommandTest, AKernelThatDoesNotCompileIsReported) {
    const std::vector<Family> families = jit::SourceSet::load().families();
    {
        db::Store store = db::Store::open(folder_ / "user.db", db::Access::read_write);
        Candidate wrong = test::real_candidate(families, "tile_per_block", {{"block", Value(std::int64_t{33})}});
        db::add_winner(store, db::h200(), {}, 1 << 24, Regime::cold, wrong, 10);
    }
    const Outcome outcome = run({"--arch", "sm_90", "--size", "16Mi..32Mi", "--format", "csv"});
    EXPECT_EQ(outcome.exit_code, failed_candidates);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("does not compile for sm_90"), HasSubstr("whole warps")));
}

TEST_F(WarmCommandTest, BadInputIsRefused) {
    const auto message = [](std::vector<std::string> arguments) {
        try {
            run(std::move(arguments));
            return std::string("no error");
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_THAT(message({"--arch", "hopper"}), HasSubstr("sm_90"));
    EXPECT_THAT(message({"--arch", "sm_90", "--size", "many"}), HasSubstr("many"));
    EXPECT_THAT(message({"--device", "nonesuch"}), HasSubstr("names no device that redtune knows"));
    EXPECT_THAT(message({"--device", "a100-pcie", "--arch", "sm_90"}), HasSubstr("has the architecture sm_80"));
    EXPECT_THAT(message({"--arch", "sm_90", "--db", "/no/such.db"}), HasSubstr("no database at /no/such.db"));
    db::write_file(folder_ / "file", "");
    EXPECT_THAT(message({"--arch", "sm_90", "--folder", folder_ / "file"}), HasSubstr("is not a folder"));
}

TEST_F(WarmCommandTest, AFolderThatIsNotTrustedIsNamedOnce) {
    namespace fs = std::filesystem;
    const fs::path system = folder_ / "system";
    fs::create_directory(system);
    fs::permissions(system, fs::perms::others_write, fs::perm_options::add);
    const db::ScopedVariable variable("REDTUNE_SYSTEM_CACHE", system.string());
    const Outcome outcome = run({"--arch", "sm_90"});
    EXPECT_EQ(outcome.exit_code, done);
    const std::string warning = "no kernel is taken from " + system.string() + ": other users may write to it";
    const std::size_t at = outcome.err.find(warning);
    ASSERT_NE(at, std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find(warning, at + 1), std::string::npos);
}

TEST_F(WarmCommandTest, ACacheThatCannotBeWrittenIsAFailure) {
    db::write_file(folder_ / "file", "");
    const db::ScopedVariable cache("REDTUNE_CACHE", (folder_ / "file").string());
    EXPECT_THAT([] { run({"--arch", "sm_90"}); }, ThrowsMessage<Error>(HasSubstr("cannot be kept")));
}

}  // namespace
}  // namespace redtune::cli
