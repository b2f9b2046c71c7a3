#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <CLI/Error.hpp>
#include <regex>

#include "db/space.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/source_path.h"
#include "tuner/cli/write_file.h"
#include "tuner/jit/source_set.h"

namespace redtune::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class EmitCommandTest : public testing::Test {
  protected:
    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "emit");
        return run_command(add_emit_command, arguments);
    }

    /// Makes the first candidate of a family the winner of a size.
    void tune(const std::string& family, std::uint64_t n, const Problem& problem = {}) {
        static const std::vector<Family> families = jit::SourceSet::load().families();
        db::Store store = db::Store::open(user_, db::Access::read_write);
        const auto candidates = db::candidates(jit::find_family(families, family), db::h200(), problem, n);
        db::add_winner(store, db::h200(), problem, n, Regime::cold, candidates.at(0), 2.0);
    }

    std::vector<std::string> with(std::vector<std::string> more) const {
        more.insert(more.begin(), sum_.begin(), sum_.end());
        return more;
    }

    db::TemporaryFolder folder_;
    std::filesystem::path user_ = folder_ / "user.db";
    std::filesystem::path out_ = folder_ / "sum.cuh";
    db::ScopedVariable file_{"REDTUNE_DB", user_.c_str()};
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", folder_.path().c_str()};
    std::vector<std::string> sum_{"--op", "sum", "--dtype", "f32", "--device", "h200"};
};

/// Returns the text without hashes, which change with the kernels.
std::string without_hashes(const std::string& text) {
    return std::regex_replace(text, std::regex("[0-9a-f]{32}"), "HASH");
}

TEST_F(EmitCommandTest, TheOpeningCommentSaysWhatTheCodeIsAndHowToCallIt) {
    tune("single_block", 4096);
    tune("tile_per_block", 1 << 20);
    const Outcome outcome = run(with({}));
    EXPECT_EQ(outcome.exit_code, done);
    const std::string comment = without_hashes(outcome.out.substr(0, outcome.out.find("*/") + 3));
    EXPECT_EQ(comment, test::golden("emit_comment.txt", comment));
}

TEST_F(EmitCommandTest, TwoRunsGiveTheSameBytes) {
    tune("single_block", 4096);
    EXPECT_EQ(run(with({})).out, run(with({})).out);
    const Outcome to_file = run(with({"-o", out_.string()}));
    EXPECT_EQ(to_file.exit_code, done);
    EXPECT_EQ(to_file.out, "");
    EXPECT_EQ(db::read_file(out_), run(with({"-o", "-"})).out) << "the output's name is not part of the code";
}

TEST_F(EmitCommandTest, EveryProblemSizeAndRegimeHasANameOfItsOwn) {
    tune("single_block", 4096);
    tune("single_block", 8192);
    Problem rows;
    rows.row_length = 32;
    tune("rows_wide", 1 << 20, rows);
    tune("single_block", 4096, make_problem("sum", Type::i8, Type::i64, Type::i64));
    const auto name = [&](std::vector<std::string> arguments) {
        const std::string text = run(std::move(arguments)).out;
        std::smatch found;
        EXPECT_TRUE(std::regex_search(text, found, std::regex("\nnamespace (\\w+) \\{")));
        return found[1].str();
    };
    EXPECT_EQ(name(with({})), "redtune_sum_f32_nvidia_h200_4ki_8ki");
    EXPECT_EQ(name(with({"--size", "4Ki"})), "redtune_sum_f32_nvidia_h200_4ki_4ki");
    EXPECT_EQ(name(with({"--shape", "rows:32"})), "redtune_sum_f32_rows32_nvidia_h200_1mi_1mi");
    EXPECT_EQ(name({"--dtype", "i8", "--accumulator", "i64", "--output", "i64", "--device", "h200"}),
              "redtune_sum_i8_i64_i64_nvidia_h200_4ki_4ki");
    EXPECT_EQ(name(with({"--name", "my_Sum2"})), "my_Sum2");
    EXPECT_THAT(run(with({"--name", "my_Sum2"})).out, HasSubstr("#ifndef my_Sum2_CUH")) << "names differ in case, too";
    EXPECT_THAT(
        [&] {
            run(with({"--name", "2sums"}));
        },
        ThrowsMessage<InputError>(HasSubstr("not a C++ identifier; use letters, digits and _, such as redtune_sum")));
    EXPECT_THROW(run(with({"--name", "a-b"})), InputError);
}

TEST_F(EmitCommandTest, OnlyNeededSourcesAreInTheFile) {
    tune("single_block", 4096);
    const std::string text = run(with({})).out;
    EXPECT_THAT(text, HasSubstr("// ---- templates/single_block.cuh ----"));
    EXPECT_THAT(text, Not(HasSubstr("// ---- templates/tile_per_block.cuh ----")));
    EXPECT_THAT(text, Not(HasSubstr("// ---- kernels_src/rows.cuh ----")));
    EXPECT_THAT(text, Not(HasSubstr("#include \"")));
    EXPECT_THAT(text, Not(HasSubstr("#pragma once")));
    EXPECT_THAT(text, Not(HasSubstr("\nallow_launches"))) << "no kernel needs more than the default limits";
    std::size_t includes = 0;
    for (std::size_t at = text.find("#include <"); at != std::string::npos; at = text.find("#include <", at + 1)) {
        ++includes;
    }
    EXPECT_EQ(includes, 3U) << "stdint.h, atomic and cuda_runtime.h";
}

TEST_F(EmitCommandTest, CodeOfAnOperatorOfYourOwnHasTheOperator) {
    const std::string file = test::source_path("examples/sum_of_cubes.cuh");
    Problem problem;
    problem.op = "sum_of_cubes";
    tune("single_block", 4096, problem);
    const Outcome outcome = run({"--op-file", file, "--device", "h200"});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_THAT(outcome.out, HasSubstr("// ---- sum_of_cubes.cuh ----"));
    EXPECT_THAT(outcome.out,
                HasSubstr("redtune::Problem<redtune::SumOfCubes<float, float, float>, float, float, float>"));
}

TEST_F(EmitCommandTest, AnUntunedProblemIsAMissWithTheCommandThatHelps) {
    tune("single_block", 4096);
    const Outcome problem = run({"--op", "max", "--dtype", "i32", "--device", "h200", "--size", "1Ki..16Mi"});
    EXPECT_EQ(problem.exit_code, nothing_found);
    EXPECT_EQ(problem.out, "");
    EXPECT_THAT(problem.err, HasSubstr("Nothing is known for max of i32"));
    EXPECT_THAT(problem.err, HasSubstr("redtune tune --op max --dtype i32 --shape whole --determinism any --size "
                                       "1Ki..16Mi --regime cold"));
    EXPECT_EQ(run(with({"--regime", "warm"})).exit_code, nothing_found);
    const Outcome device = run({"--device", "NVIDIA L4"});
    EXPECT_EQ(device.exit_code, nothing_found);
    EXPECT_THAT(device.err, HasSubstr("\"NVIDIA H200\""));
}

TEST_F(EmitCommandTest, SizesOutsideOfTheTunedOnesAreAMissOrANote) {
    tune("single_block", 4096);
    tune("tile_per_block", 1 << 20);
    const Outcome outside = run(with({"--size", "4Mi..16Mi"}));
    EXPECT_EQ(outside.exit_code, nothing_found);
    EXPECT_THAT(outside.err, HasSubstr("n = 4Mi..16Mi"));
    const Outcome partly = run(with({"--size", "1Ki..16Mi"}));
    EXPECT_EQ(partly.exit_code, done);
    EXPECT_THAT(partly.err, HasSubstr("Tuned sizes are 4Ki to 1Mi; other sizes use the nearest configuration. To tune "
                                      "them: redtune tune --op sum --dtype f32"));
    EXPECT_THAT(run(with({"--size", "8Ki..512Ki"})).err, Not(HasSubstr("Tuned sizes")));
}

TEST_F(EmitCommandTest, WrongArgumentsAreRefused) {
    tune("single_block", 4096);
    EXPECT_THROW(run({"--op", "sum"}), CLI::RequiredError) << "without --device";
    EXPECT_THROW(run(with({"--format", "ptx"})), CLI::ValidationError);
    EXPECT_THROW(run(with({"--size", "many"})), InputError);
    EXPECT_THROW(run(with({"--dtype", "f16"})), InputError) << "two types";
    EXPECT_THROW(run(with({"--db", (folder_ / "none.db").string()})), DatabaseError);
    Problem rows;
    rows.row_length = 1000;
    tune("rows_wide", 1'000'000, rows);
    EXPECT_THAT(
        [&] {
            run(with({"--shape", "rows:1000", "--size", "1010..1020"}));
        },
        ThrowsMessage<InputError>(HasSubstr("no whole number of rows of 1000")));
    EXPECT_THAT([&] { run(with({"--shape", "rows:999"})); }, ThrowsMessage<InputError>(HasSubstr("give --size")));
    EXPECT_THAT(run(with({"--shape", "rows:999", "--size", "999000"})).err, HasSubstr("nearest length"));
}

TEST_F(EmitCommandTest, AWinnerOfOtherCodeIsNamedAsSuch) {
    tune("single_block", 4096);
    const Outcome outcome = run(with({}));  // the fixture's measurements have the code hash "hash"
    EXPECT_THAT(outcome.out, HasSubstr(" (measured with hash)"));
    EXPECT_EQ(outcome.err,
              "The code of single_block has changed since it was measured, so another kernel may be the fastest now; "
              "`redtune tune` measures again.\n");
    const db::ScopedVariable shipped("REDTUNE_SYSTEM_DATA", test::shipped_data());
    EXPECT_EQ(run({"--op", "max", "--dtype", "i32", "--device", "h200", "--size", "1Ki..4Ki"}).err, "");
}

TEST_F(EmitCommandTest, AnOutputThatCannotBeWrittenStaysAsItWas) {
    tune("single_block", 4096);
    EXPECT_THAT(
        [&] {
            run(with({"-o", (folder_ / "no/such/folder.cuh").string()}));
        },
        ThrowsMessage<Error>(HasSubstr("name a file in a folder that exists")));
    EXPECT_THAT([&] { run(with({"-o", folder_.path().string()})); }, ThrowsMessage<Error>(HasSubstr("it is a folder")));
}

TEST_F(EmitCommandTest, AFileIsReplacedWholeOrNotAtAll) {
    write_file(out_, "first");
    write_file(out_, "second");
    EXPECT_EQ(db::read_file(out_), "second");
    const std::filesystem::path link = folder_ / "link.cuh";
    std::filesystem::create_symlink(out_, link);
    write_file(link, "through the link");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(db::read_file(out_), "through the link");
    // A folder at the place of the unfinished file makes the write fail.
    std::filesystem::create_directory(out_.string() + ".unfinished-" + std::to_string(getpid()));
    EXPECT_THROW(write_file(out_, "third"), Error);
    EXPECT_EQ(db::read_file(out_), "through the link");
    write_file("/dev/null", "a device is written, not replaced");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
    EXPECT_THROW(write_file("/dev/full", "a device without room"), Error);
}

}  // namespace
}  // namespace redtune::cli
