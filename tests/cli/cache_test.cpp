#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/golden.h"
#include "tuner/jit/cache_entry.h"
#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/kernel_store.h"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// A user's cache with two kernels of sm_90 and one of sm_80, and a system's cache with one kernel of sm_90. None is
/// the machine code of a kernel.
class CacheCommandTest : public testing::Test {
  protected:
    void SetUp() override {
        jit::CubinCache user(user_folder(), std::uint64_t{1} << 20);
        add(user, "sm_90", {"tile_per_block", "single_block"}, "machine code");
        add(user, "sm_80", {"tile_per_block"}, "other code");
        jit::CubinCache system(folder_ / "system", std::uint64_t{1} << 20);
        add(system, "sm_90", {"rows_wide"}, "code of the system");
        set_used(user_folder(), std::chrono::hours(24));
        set_used(folder_ / "system", std::chrono::hours(0));
    }

    static void add(jit::CubinCache& cache, const std::string& architecture, const std::vector<std::string>& names,
                    const std::string& code) {
        const auto cubin = std::make_shared<const std::string>(code);
        std::vector<jit::KernelKey> keys;
        std::vector<jit::CompiledKernel> kernels;
        for (const std::string& name : names) {
            keys.push_back({architecture, "templates/" + name + ".cuh",
                            "redtune::" + name + "<redtune::Problem<redtune::Sum<float, float, float>>, 64>", "hash",
                            "--std=c++17"});
            jit::CompiledKernel& kernel = kernels.emplace_back();
            kernel.cubin = cubin;
            kernel.symbol = name;
            kernel.nvrtc = "nvrtc 13.0 0123456789abcdef";
            kernel.resources.registers = 32;
        }
        jit::KernelStore(cache).put(keys, kernels);
    }

    /// Sets the last use of a folder's entries, in the order of their file names, to one minute after the other. The
    /// first is `offset` after 2026-01-01.
    static void set_used(const fs::path& folder, std::chrono::hours offset) {
        std::vector<fs::path> files;
        for (const jit::EntryFile& file : jit::list_entries(folder)) files.push_back(file.path);
        std::ranges::sort(files);
        std::chrono::seconds after = offset;
        for (const fs::path& file : files) {
            constexpr std::chrono::sys_days start = std::chrono::January / 1 / 2026;
            fs::last_write_time(file, std::chrono::file_clock::from_sys(start + after));
            after += std::chrono::minutes(1);
        }
    }

    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "cache");
        return run_command(add_cache_command, arguments);
    }
    static json rows(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--format", "json"});
        return json::parse(run(std::move(arguments)).out);
    }

    fs::path user_folder() const { return folder_ / "user"; }
    fs::path any_entry() const { return jit::list_entries(user_folder()).front().path; }

    db::TemporaryFolder folder_;
    db::ScopedVariable user_{"REDTUNE_CACHE", (folder_ / "user").string()};
    db::ScopedVariable system_{"REDTUNE_SYSTEM_CACHE", (folder_ / "system").string()};
    db::ScopedVariable cap_{"REDTUNE_CACHE_MAX_MIB", "100"};
};

TEST_F(CacheCommandTest, StatsCountsEachLayer) {
    const json stats = rows({"stats"});
    ASSERT_EQ(stats.size(), 2U);
    EXPECT_EQ(stats[0]["layer"], "user");
    EXPECT_EQ(stats[0]["path"], user_folder().string());
    EXPECT_EQ(stats[0]["entries"], 5);
    EXPECT_EQ(stats[0]["cap_bytes"], 100 << 20);
    EXPECT_TRUE(stats[0]["problem"].is_null());
    EXPECT_EQ(stats[1]["layer"], "system");
    EXPECT_EQ(stats[1]["entries"], 2);
    EXPECT_TRUE(stats[1]["cap_bytes"].is_null());
    std::uintmax_t bytes = 0;
    for (const auto& file : fs::directory_iterator(user_folder())) bytes += file.file_size();
    EXPECT_EQ(stats[0]["bytes"], bytes);
}

TEST_F(CacheCommandTest, StatsOfMissingAndDistrustedFolders) {
    fs::remove_all(user_folder());
    fs::permissions(folder_ / "system", fs::perms::others_write, fs::perm_options::add);
    const json stats = rows({"stats"});
    EXPECT_EQ(stats[0]["exists"], false);
    EXPECT_EQ(stats[0]["entries"], 0);
    EXPECT_EQ(stats[1]["problem"], "other users may write to it");
    EXPECT_FALSE(fs::exists(user_folder())) << "it is not made";
}

TEST_F(CacheCommandTest, ListShowsKernels) {
    for (const char* format : {"table", "json", "csv", "md"}) {
        const Outcome outcome = run({"list", "--format", format});
        EXPECT_EQ(outcome.exit_code, done);
        EXPECT_EQ(outcome.out, test::golden(fmt::format("cache_list_{}.txt", format), outcome.out));
    }
}

TEST_F(CacheCommandTest, ListTakesArchitecturesAndOneFolder) {
    EXPECT_EQ(rows({"list", "--arch", "sm_80"}).size(), 1U);
    EXPECT_EQ(rows({"list", "--arch", "80,9.0"}).size(), 4U);
    const json given = rows({"list", "--folder", folder_ / "system"});
    ASSERT_EQ(given.size(), 1U);
    EXPECT_EQ(given[0]["layer"], "given");
    const Outcome none = run({"list", "--arch", "sm_120"});
    EXPECT_EQ(none.exit_code, nothing_found);
    EXPECT_THAT(none.err, HasSubstr("redtune warm"));
    EXPECT_THROW(run({"list", "--arch", "hopper"}), InputError);
}

TEST_F(CacheCommandTest, ClearRemovesTheUsersEntriesOnly) {
    const json cleared = rows({"clear"});
    EXPECT_EQ(cleared[0]["removed_entries"], 5);
    EXPECT_GT(cleared[0]["removed_bytes"], 0);
    EXPECT_TRUE(fs::is_empty(user_folder()));
    EXPECT_EQ(jit::list_entries(folder_ / "system").size(), 2U);
    EXPECT_EQ(rows({"clear"})[0]["removed_entries"], 0);
}

TEST_F(CacheCommandTest, ClearLeavesOtherFiles) {
    db::write_file(user_folder() / "notes.txt", "text");
    run({"clear"});
    EXPECT_TRUE(fs::exists(user_folder() / "notes.txt"));
}

TEST_F(CacheCommandTest, ClearTakesAnArchitectureWithItsCubins) {
    EXPECT_EQ(rows({"clear", "--arch", "sm_90"})[0]["removed_entries"], 3);
    EXPECT_EQ(jit::list_entries(user_folder()).size(), 2U);
    EXPECT_EQ(rows({"list", "--arch", "sm_80"}).size(), 1U);
}

TEST_F(CacheCommandTest, ClearTakesAnAge) {
    const fs::path used = any_entry();
    fs::last_write_time(used, fs::file_time_type::clock::now() - std::chrono::hours(20));
    EXPECT_EQ(rows({"clear", "--older-than", "1"})[0]["removed_entries"], 4);
    EXPECT_EQ(any_entry(), used);
    EXPECT_EQ(rows({"clear", "--older-than", "0.5"})[0]["removed_entries"], 1);
    for (const char* wrong : {"-1", "nan", "1e300"}) EXPECT_THROW(run({"clear", "--older-than", wrong}), InputError);
}

TEST_F(CacheCommandTest, VerifyPassesSoundEntries) {
    const Outcome outcome = run({"verify"});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("7 entries were read; 0 problems."));
}

TEST_F(CacheCommandTest, VerifyReportsAndRepairsDamagedEntries) {
    const fs::path damaged = any_entry();
    db::write_file(damaged, db::read_file(damaged) + "tail");
    const json found = rows({"verify"});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0]["layer"], "user");
    EXPECT_EQ(found[0]["path"], damaged.string());
    EXPECT_EQ(found[0]["problem"], "it is damaged");
    EXPECT_EQ(found[0]["removed"], false);
    EXPECT_EQ(run({"verify"}).exit_code, failed);
    EXPECT_TRUE(fs::exists(damaged));
    EXPECT_EQ(run({"verify", "--repair"}).exit_code, done);
    EXPECT_FALSE(fs::exists(damaged));
    EXPECT_EQ(run({"verify"}).exit_code, done);
}

TEST_F(CacheCommandTest, VerifyRepairsNoFolderOfTheSystem) {
    const fs::path damaged = jit::list_entries(folder_ / "system").front().path;
    db::write_file(damaged, "damaged");
    EXPECT_EQ(run({"verify", "--repair"}).exit_code, failed);
    EXPECT_TRUE(fs::exists(damaged));
    EXPECT_EQ(run({"verify", "--repair", "--folder", folder_ / "system"}).exit_code, done);
    EXPECT_FALSE(fs::exists(damaged));
}

// The checksum of such an entry is right, so that only its meaning is wrong.
TEST_F(CacheCommandTest, VerifyReadsWhatEntriesMean) {
    jit::CubinCache user(user_folder(), std::uint64_t{1} << 20);
    user.put(jit::cubin_key("sm_90", "machine code"), "another machine code");
    user.put(jit::to_text({"sm_90", "source", "expression", "code", "options"}), "no kernel");
    std::vector<std::string> problems;
    for (const json& row : rows({"verify"})) problems.push_back(row["problem"]);
    EXPECT_THAT(problems,
                testing::UnorderedElementsAre("its machine code is not that of its key", "it describes no kernel"));
}

TEST_F(CacheCommandTest, VerifyReportsEntriesThatOthersMayWrite) {
    fs::permissions(any_entry(), fs::perms::others_write, fs::perm_options::add);
    const Outcome outcome = run({"verify", "--format", "csv"});
    EXPECT_EQ(outcome.exit_code, failed);
    EXPECT_THAT(outcome.out, HasSubstr("other users may write to it"));
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("--repair"), HasSubstr("chmod go-w")));
}

}  // namespace
}  // namespace redtune::cli
