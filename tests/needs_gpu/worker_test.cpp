// Tunes over families that misbehave (tests/needs_gpu/templates), with the redtune program next to this one.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "db/statement.h"
#include "tests/support/database_fixture.h"
#include "tests/support/shell.h"
#include "tests/support/source_path.h"
#include "tuner/core/program_folder.h"
#include "tuner/gpu/device.h"

namespace redtune::search {
namespace {

using test_support::run_shell;
using test_support::ShellResult;
using ::testing::HasSubstr;

class WorkerOnGpu : public ::testing::Test {
  protected:
    void SetUp() override {
        if (gpu::list_devices().empty()) GTEST_SKIP() << gpu::why_no_device();
    }

    /// Tunes over these families and one of redtune's own. @param run_by a program that runs the command; may be empty
    ShellResult tune(const std::vector<std::string>& families, const std::string& run_by = "") const {
        std::string command = fmt::format(
            "{} '{}' tune --worker --device 0 --size 16Ki,64Ki --between 0 --checks 0 --family single_block --db '{}'",
            run_by, (program_folder() / ".." / "redtune").string(), file_.string());
        for (const std::string& family : families) {
            command += fmt::format(" --family {0} --template '{1}/{0}.cuh'", family,
                                   test::source_path("tests/needs_gpu/templates"));
        }
        return run_shell(command);
    }

    /// Returns the distinct statuses of a family's measurements.
    std::string statuses(const std::string& family) const {
        const db::Connection connection = db::Connection::open(file_, db::OpenMode::read_only);
        db::Statement rows =
            connection.prepare("SELECT group_concat(DISTINCT status) FROM measurements WHERE family = ?1");
        rows.bind(family);
        return rows.step() ? rows.text(0) : "";
    }
    std::int64_t value(const std::string& query) const {
        return db::Connection::open(file_, db::OpenMode::read_only).value(query);
    }

    db::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "test.db";
};

TEST_F(WorkerOnGpu, FamiliesThatMisbehaveCostOnlyThemselves) {
    const std::vector<std::string> families = {"faults", "hangs", "lies", "writes_past_end"};
    const ShellResult first = tune(families);
    EXPECT_EQ(first.status, 5) << first.output;
    EXPECT_EQ(statuses("faults"), "fault");
    EXPECT_EQ(statuses("hangs"), "timeout");
    // Screenings may pass, because they repeat few calls.
    EXPECT_THAT(statuses("lies"), ::testing::AnyOf(HasSubstr("wrong"), HasSubstr("implausible")));
    EXPECT_EQ(statuses("writes_past_end"), "wrong");
    EXPECT_EQ(value("SELECT count(DISTINCT n) FROM winners WHERE family = 'single_block'"), 2);
    EXPECT_THAT(first.output, HasSubstr("faults(block=128) failed and is left out: fault: "));
    EXPECT_THAT(first.output, HasSubstr("hangs(block=128) failed and is left out: timeout: "));

    const std::int64_t measured = value("SELECT count(*) FROM measurement");
    const ShellResult second = tune(families);
    EXPECT_THAT(second.output, HasSubstr("Everything is measured already"));
    EXPECT_EQ(value("SELECT count(*) FROM measurement"), measured);
}

TEST_F(WorkerOnGpu, CtrlCEndsASweepWhoseKernelHangs) {
    // The hanging kernel comes first and would be killed after ten seconds or more.
    const ShellResult result = tune({"hangs"}, "timeout --preserve-status --signal=INT 8");
    EXPECT_EQ(result.status, 130) << result.output;
    EXPECT_THAT(result.output, HasSubstr("Interrupted."));
    EXPECT_EQ(value("SELECT count(*) FROM failures"), 0) << "the trial that was interrupted is not to blame";
}

}  // namespace
}  // namespace redtune::search
