#include "tuner/cli/tune_conclusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/database_fixture.h"
#include "tests/support/golden.h"

namespace redtune::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<TunedCell> cells = {{1 << 10, Regime::cold, 3.2, 0.07, 1.5},
                                      {1 << 20, Regime::cold, 1451, 30.1, 2.96},
                                      {1 << 30, Regime::cold, 4582, 95.2, 4.84},
                                      {1 << 20, Regime::warm, 2500, {}, {}}};

std::string commands(const std::string& database, std::size_t columns, Regime regime = Regime::cold) {
    return next_commands(Problem(), "NVIDIA H200", 1 << 30, regime, database, columns);
}

/// The texts have no colours, even if the tests print to a terminal.
class TuneConclusion : public testing::Test {
    db::ScopedVariable no_color_{"NO_COLOR", "1"};
};

TEST_F(TuneConclusion, NamesBandwidthAndSpeedUpAndWhatToDoNext) {
    const std::string shown = conclude(Problem(), db::h200(), cells) + commands("", 80);
    EXPECT_EQ(shown, test::golden("tune_conclusion.txt", shown));
}

TEST_F(TuneConclusion, LeavesOutWhatWasNotMeasured) {
    const std::string warm = conclude(Problem(), db::h200(), {cells.back()});
    EXPECT_THAT(warm, HasSubstr("warm: winners of 1 size\n"));
    EXPECT_THAT(warm, Not(HasSubstr("peak")));
    EXPECT_THAT(warm, Not(HasSubstr("speed-up")));
    EXPECT_EQ(conclude(Problem(), db::h200(), {}), "");
    std::vector<TunedCell> some = cells;
    some[1].speedup.reset();
    EXPECT_THAT(conclude(Problem(), db::h200(), some),
                HasSubstr("1.50 to 4.84 times over the classic kernel, at 2 of 3 sizes\n"));
}

TEST_F(TuneConclusion, CommandsKeepToTheWidthAndCanBeCopied) {
    for (const std::size_t columns : {80, 100}) {
        const std::string shown = commands("/home/someone/databases/h200.db", columns, Regime::warm);
        std::istringstream lines(shown);
        std::string joined;
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), columns) << line;
            const bool goes_on = line.ends_with('\\');
            if (goes_on) line.pop_back();
            joined += line.substr(std::min(line.find_first_not_of(' '), line.size())) + (goes_on ? "" : "\n");
        }
        EXPECT_THAT(joined, HasSubstr("redtune query --op sum --dtype f32 --n 1Gi --device \"NVIDIA "
                                      "H200\" --regime warm --db /home/someone/databases/h200.db\n"));
        EXPECT_THAT(joined, HasSubstr("redtune report --out report.html --db /home/someone/databases/h200.db\n"));
    }
}

}  // namespace
}  // namespace redtune::cli
