#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/store.h"
#include "redtune/catalog.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;

/// A family to which the parameter `spread` was added after measurements of the family had been recorded.
class AddedParameter : public ::testing::Test {
  protected:
    AddedParameter() {
        std::filesystem::create_directory(folder_ / "shipped");
        db::Store recording = db::Store::open(folder_ / "shipped/gpu.recording.db", db::Access::read_write);
        const std::int64_t sweep = recording.begin_sweep(db::h200(), problem_, db::toolchain(), "gpu", "redtune tune");
        for (const std::int64_t block : {128, 256}) {
            Candidate candidate;
            candidate.configuration = {"own", {{"block", block}, {"unroll", std::int64_t{4}}}};
            candidate.rule.block = static_cast<std::uint32_t>(block);
            candidate.rule.tile = static_cast<std::uint64_t>(block) * 4;
            for (const Stage stage : {Stage::screen, Stage::survivor, Stage::final}) {
                recording.record(sweep, candidate, "hash", n_, Regime::cold, make_plan(candidate.rule, n_),
                                 db::measurement(block == 128 ? 3 : 2, stage));
            }
        }
    }

    /// Tunes the family. `parameter` and `default_value` are the lines of its front matter that list the values of
    /// `spread` and give its default; empty: the family does not have the parameter.
    Outcome tune(const std::string& parameter, const std::string& default_value, const std::string& database) {
        db::write_file(folder_ / "own.cuh", "/*redtune\nfamily = \"own\"\n[compile]\n" + parameter +
                                                "\nblock = [128, 256]\nunroll = [4]\n[defaults]\n" + default_value +
                                                "\n[derived]\ntile = \"block * unroll\"\n*/\n");
        return run_command(add_tune_command,
                           {"tune", "--device", "replay:gpu", "--db", (folder_ / database).string(), "--template",
                            (folder_ / "own.cuh").string(), "--family", "own", "--size", "64Ki", "--format", "csv"});
    }

    static constexpr std::uint64_t n_ = 64 << 10;
    const std::string added_ = "spread = [\"narrow\", \"wide\"]";
    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", (folder_ / "shipped").c_str()};
    Problem problem_;
};

TEST_F(AddedParameter, ARecordingWithoutTheParameterIsReplayed) {
    const Outcome outcome = tune(added_, "spread = \"narrow\"", "new.db");
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("own(spread=narrow, block=256, unroll=4)"));
}

TEST_F(AddedParameter, ASweepWithoutTheParameterIsResumed) {
    const Outcome before = tune("", "", "a.db");
    EXPECT_THAT(before.out, HasSubstr("own(block=256, unroll=4)"));
    const Outcome after = tune(added_, "spread = \"narrow\"", "a.db");
    EXPECT_THAT(after.err, HasSubstr("nothing to do"));
    EXPECT_THAT(after.out, HasSubstr("own(spread=narrow, block=256, unroll=4)"));
}

TEST_F(AddedParameter, ALookUpStillFindsAWinnerWithoutTheParameter) {
    tune("", "", "a.db");
    const Catalog catalog = Catalog::open({folder_ / "a.db", folder_ / "shipped"});
    const auto match = catalog.find(problem_, n_, db::h200().name);
    ASSERT_TRUE(match);
    EXPECT_EQ(match->parameters.size(), 2U);
}

}  // namespace
}  // namespace redtune::cli
