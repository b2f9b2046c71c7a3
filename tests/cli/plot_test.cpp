#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class PlotTest : public testing::Test {
  protected:
    static Outcome plot(std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.begin(), "plot");
        return run_command(add_plot_command, arguments);
    }
    void add(const std::string& device, std::uint64_t n, double us) {
        db::Store store = db::Store::open(folder_ / "user.db", db::Access::read_write);
        DeviceInfo info = db::h200();
        info.name = device;
        db::add_winner(store, info, {}, n, Regime::cold, db::candidate(4), us);
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable user_{"REDTUNE_DB", (folder_ / "user.db").c_str()};
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data().c_str()};
    db::ScopedVariable locale_{"LC_ALL", "C.UTF-8"};
};

TEST_F(PlotTest, DrawsTheShippedWinners) {
    const Outcome outcome = plot({"--device", "h200"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_EQ(outcome.out, test::golden("plot_bandwidth.txt", outcome.out));
    const Outcome time = plot({"--value", "time"});
    EXPECT_EQ(time.out, test::golden("plot_time.txt", time.out));
}

TEST_F(PlotTest, WithoutUtf8ItIsAscii) {
    const db::ScopedVariable locale("LC_ALL", "C");
    const std::string out = plot().out;
    EXPECT_TRUE(std::all_of(out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        << out;
    EXPECT_THAT(out, HasSubstr("*"));
}

TEST_F(PlotTest, WarmInputsHaveNoPeak) {
    EXPECT_THAT(plot({"--regime", "warm"}).out, AllOf(HasSubstr("warm"), Not(HasSubstr("peak"))));
}

TEST_F(PlotTest, SeveralDevicesNeedAChoice) {
    add("NVIDIA L4", 1 << 10, 2);
    add("NVIDIA L4", 1 << 12, 3);
    EXPECT_THAT([] { plot(); }, ThrowsMessage<InputError>(AllOf(HasSubstr("--device"), HasSubstr("NVIDIA L4"))));
    EXPECT_THAT(plot({"--device", "L4"}).out, HasSubstr("sum of f32 on NVIDIA L4, cold"));
}

TEST_F(PlotTest, ErrorsSayWhatIsAllowed) {
    EXPECT_THAT(
        [] {
            plot({"--value", "bandwith"});
        },
        ThrowsMessage<InputError>(AllOf(HasSubstr("bandwidth, time"), HasSubstr("mean 'bandwidth'?"))));
    EXPECT_THAT([] { plot({"--regime", "hot"}); }, ThrowsMessage<InputError>(HasSubstr("cold")));
    EXPECT_THAT([] { plot({"--dtype", "f32", "f16"}); }, ThrowsMessage<InputError>(HasSubstr("one input type")));
    const Outcome nothing = plot({"--shape", "rows:3"});
    EXPECT_EQ(nothing.exit_code, nothing_found);
    EXPECT_THAT(nothing.err, HasSubstr("redtune db stats"));
    EXPECT_EQ(plot({"--device", "b200"}).exit_code, nothing_found);
}

}  // namespace
}  // namespace redtune::cli
