#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// A point of a curve. Both coordinates are finite.
struct CurvePoint {
    double x = 0;
    double y = 0;
};

/// A mark of an axis.
struct AxisMark {
    double at = 0;
    std::string label;
};

/// A curve, and the part of the plane that draw_curve() shows of it.
struct CurvePlot {
    std::vector<CurvePoint> curve;  ///< in ascending order of x
    CurvePoint least;               ///< the lower left corner
    CurvePoint most;                ///< the upper right corner; its coordinates are larger than those of `least`
    std::vector<AxisMark> x_marks;  ///< a label that does not fit next to the others is left out
    std::vector<AxisMark> y_marks;
};

/// Returns the lines of a plot for a terminal: `columns` columns and `rows` rows, of which the last two are the x axis
/// and its labels. The curve is drawn in the dots of braille characters, 2 x 4 of them in each, or in the character *
/// if `is_ascii`. Labels are counted in bytes, so they must be ASCII.
/// @param style returns a part of the curve as it is shown, for example with a colour; empty: unchanged
std::vector<std::string> draw_curve(const CurvePlot& plot, std::size_t columns, std::size_t rows, bool is_ascii,
                                    const std::function<std::string(std::string_view)>& style = {});

}  // namespace redtune::cli
