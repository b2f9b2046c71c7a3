#include "tuner/cli/curve_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace redtune::cli {
namespace {

using testing::ElementsAre;

CurvePlot diagonal() {
    CurvePlot plot;
    plot.curve = {{0, 0}, {3, 3}};
    plot.least = {0, 0};
    plot.most = {3, 3};
    plot.x_marks = {{0, "1Ki"}, {3, "1Mi"}};
    plot.y_marks = {{0, "0"}, {3, "30"}};
    return plot;
}

TEST(CurvePlot, DrawsACurveBetweenItsAxes) {
    EXPECT_THAT(draw_curve(diagonal(), 12, 6, true), ElementsAre("30 +      **",  //
                                                                 "   |    **",    //
                                                                 "   |  **",      //
                                                                 " 0 +**",        //
                                                                 "   ++------+",  //
                                                                 "    1Ki  1Mi"));
}

TEST(CurvePlot, AStyleAppliesToTheCurveOnly) {
    const auto bracketed = [](std::string_view curve) { return "<" + std::string(curve) + ">"; };
    EXPECT_THAT(draw_curve(diagonal(), 12, 6, true, bracketed), ElementsAre("30 +<      **>",  //
                                                                            "   |<    **>",    //
                                                                            "   |<  **>",      //
                                                                            " 0 +<**>",        //
                                                                            "   ++------+",    //
                                                                            "    1Ki  1Mi"));
}

TEST(CurvePlot, BrailleHasEightDotsInACharacter) {
    EXPECT_THAT(draw_curve(diagonal(), 8, 6, false), ElementsAre("30 ┤   ⡜",  //
                                                                 "   │  ⡜",   //
                                                                 "   │ ⡜",    //
                                                                 " 0 ┤⡜",     //
                                                                 "   └┴───",  //
                                                                 "    1Ki"));
}

TEST(CurvePlot, ALabelThatDoesNotFitIsLeftOut) {
    CurvePlot plot = diagonal();
    plot.x_marks = {{0, "1Ki"}, {0.5, "2Ki"}, {3, "1Mi"}, {9, "outside"}};
    EXPECT_EQ(draw_curve(plot, 16, 6, true).back(), "    1Ki      1Mi");
}

TEST(CurvePlot, PointsOutsideOfTheRangeAreNotDrawn) {
    CurvePlot plot = diagonal();
    plot.curve = {{1, 100}, {2, 100}};
    for (const std::string& line : draw_curve(plot, 16, 6, true)) EXPECT_EQ(line.find('*'), std::string::npos) << line;
}

TEST(CurvePlot, EveryLineFitsTheColumns) {
    for (const std::size_t columns : {80U, 100U, 120U}) {
        const auto lines = draw_curve(diagonal(), columns, 18, true);
        EXPECT_EQ(lines.size(), 18U);
        for (const std::string& line : lines) EXPECT_LE(line.size(), columns);
    }
}

}  // namespace
}  // namespace redtune::cli
