#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;

/// The text of a file in tests/cli/golden. $REDTUNE_UPDATE_GOLDEN=1 writes it first.
std::string golden(const std::string& name, const std::string& now) {
    const std::string path = std::string(REDTUNE_SOURCE_DIR) + "/tests/cli/golden/" + name;
    if (std::getenv("REDTUNE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << now;
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs over the shipped recording, as a machine without a GPU does.
class TuneOnRecording : public ::testing::Test {
  protected:
    Outcome tune(std::vector<std::string> arguments) {
        for (const char* more : {"--device", "replay:nvidia-h200"}) arguments.emplace_back(more);
        arguments.insert(arguments.begin(), "tune");
        arguments.insert(arguments.end(), {"--db", (folder_ / "test.db").string()});
        return run_command(add_tune_command, arguments);
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", REDTUNE_SOURCE_DIR "/db/data"};
    db::ScopedVariable cache_{"REDTUNE_CACHE", folder_.path().c_str()};
};

TEST_F(TuneOnRecording, EndsWithTheWinnersOfTheRecording) {
    const Outcome outcome = tune({"--size", "1Ki..1Mi", "--dtype", "f32,i32"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_EQ(outcome.out, golden("tune_table.txt", outcome.out));
    EXPECT_THAT(outcome.err, HasSubstr("replay:nvidia-h200"));
}

TEST_F(TuneOnRecording, ASecondRunDoesNothingAndSaysSo) {
    const Outcome first = tune({"--size", "1Ki..4Ki"});
    const Outcome second = tune({"--size", "1Ki..4Ki"});
    EXPECT_THAT(first.err, ::testing::Not(HasSubstr("nothing to do")));
    EXPECT_THAT(second.err, HasSubstr("Everything is measured already: nothing to do."));
    EXPECT_EQ(second.out, first.out) << "the summary is there all the same";
}

TEST_F(TuneOnRecording, APlanIsAllThatPlanPrints) {
    const Outcome outcome = tune({"--size", "1Ki..1Gi", "--plan"});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_THAT(outcome.out, HasSubstr("candidates  8618, 0 measured already"));
    EXPECT_THAT(outcome.out, HasSubstr("21 (sizes x regimes), 0 done already"));
}

TEST_F(TuneOnRecording, SizesThatWereNotRecordedAreRefused) {
    EXPECT_THROW(tune({"--size", "1000"}), InputError);
}

TEST_F(TuneOnRecording, WrongInputIsRefusedBeforeADatabaseIsMade) {
    EXPECT_THROW(tune({"--op", "summ"}), InputError);
    EXPECT_THROW(tune({"--dtype", "f31"}), InputError);
    EXPECT_THROW(tune({"--size", "4Ki..1Ki"}), InputError);
    EXPECT_THROW(tune({"--regime", "tepid"}), InputError);
    EXPECT_THROW(tune({"--determinism", "some"}), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "test.db"));
}

}  // namespace
}  // namespace redtune::cli
