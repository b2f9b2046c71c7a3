#include "tuner/cli/curve_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace redtune::cli {

namespace {

/// The characters of the axes and the number of dots in a character.
struct Characters {
    std::string_view vertical;
    std::string_view vertical_mark;
    std::string_view corner;
    std::string_view horizontal;
    std::string_view horizontal_mark;
    int dots_x;
    int dots_y;
};

constexpr Characters braille{"│", "┤", "└", "─", "┴", 2, 4};
constexpr Characters ascii{"|", "+", "+", "-", "+", 1, 1};

/// The dots of an area of characters. The dot (0, 0) is at the lower left.
class Canvas {
  public:
    Canvas(std::size_t columns, std::size_t rows, const Characters& characters)
        : characters_(characters), columns_(columns), rows_(rows), cells_(columns * rows) {}

    int width() const { return static_cast<int>(columns_) * characters_.dots_x; }
    int height() const { return static_cast<int>(rows_) * characters_.dots_y; }

    /// Sets a dot; ignores one outside of the area.
    void set(int x, int y) {
        if (x < 0 || y < 0 || x >= width() || y >= height()) return;
        // The bits of a braille character, from its upper left dot to its lower right one.
        constexpr std::array<std::array<int, 2>, 4> bits{{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
        const int from_top = height() - 1 - y;
        auto& cell = cells_[static_cast<std::size_t>(from_top / characters_.dots_y) * columns_ +
                            static_cast<std::size_t>(x / characters_.dots_x)];
        cell = static_cast<std::uint8_t>(cell | bits.at(static_cast<std::size_t>(from_top % characters_.dots_y))
                                                    .at(static_cast<std::size_t>(x % characters_.dots_x)));
    }

    void line(double x0, double y0, double x1, double y1) {
        const int steps = std::max(1, static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0)))));
        for (int i = 0; i <= steps; ++i) {
            const double share = static_cast<double>(i) / steps;
            set(static_cast<int>(std::lround(x0 + share * (x1 - x0))),
                static_cast<int>(std::lround(y0 + share * (y1 - y0))));
        }
    }

    std::string row(std::size_t from_top) const {
        std::string text;
        for (std::size_t i = 0; i < columns_; ++i) {
            const std::uint8_t cell = cells_[from_top * columns_ + i];
            if (cell == 0) {
                text += ' ';
            } else if (characters_.dots_x == 1) {
                text += '*';
            } else {
                // U+2800 + cell in UTF-8
                text += '\xe2';
                text += static_cast<char>(0xa0 | cell >> 6);
                text += static_cast<char>(0x80 | (cell & 0x3f));
            }
        }
        return text;
    }

  private:
    const Characters& characters_;
    std::size_t columns_;
    std::size_t rows_;
    std::vector<std::uint8_t> cells_;  ///< row by row from the top; the bits of the dots that are set
};

/// Returns where a value is in a range that is divided into `count` steps: 0 for `least`, count - 1 for `most`.
double position(double value, double least, double most, int count) {
    return (value - least) / (most - least) * (count - 1);
}

/// A mark at a character of an axis.
struct PlacedMark {
    std::size_t at;  ///< index of the character, from the axis's least value on
    std::string_view label;
};

/// Returns the marks that are in the range, on an axis of `count` characters.
std::vector<PlacedMark> place(const std::vector<AxisMark>& marks, double least, double most, std::size_t count) {
    std::vector<PlacedMark> placed;
    for (const AxisMark& mark : marks) {
        const double at = position(mark.at, least, most, static_cast<int>(count));
        if (at < -0.5 || at > static_cast<double>(count) - 0.5) continue;
        placed.push_back(
            {static_cast<std::size_t>(std::clamp(std::lround(at), 0L, static_cast<long>(count) - 1)), mark.label});
    }
    return placed;
}

/// Returns the line of the x axis and the line of its labels.
std::vector<std::string> x_axis(const std::vector<PlacedMark>& marks, std::size_t columns, std::size_t margin,
                                const Characters& characters) {
    std::vector<std::string_view> axis(columns, characters.horizontal);
    std::string labels;
    for (const PlacedMark& mark : marks) {
        // A label is centred below its mark, but stays within the width.
        const std::size_t half = std::min(mark.label.size() / 2, mark.at);
        const std::size_t begin = std::min(mark.at - half, columns - std::min(columns, mark.label.size()));
        if (!labels.empty() && begin < labels.size() + 1) continue;
        axis[mark.at] = characters.horizontal_mark;
        labels.resize(begin, ' ');
        labels += mark.label;
    }
    return {fmt::format("{:{}}{}{}", "", margin, characters.corner, fmt::join(axis, "")),
            fmt::format("{:{}}{}", "", margin + 1, labels)};
}

}  // namespace

std::vector<std::string> draw_curve(const CurvePlot& plot, std::size_t columns, std::size_t rows, bool is_ascii,
                                    const std::function<std::string(std::string_view)>& style) {
    const Characters& characters = is_ascii ? ascii : braille;
    std::size_t margin = 0;  // the width of the labels of the y axis
    for (const AxisMark& mark : plot.y_marks) margin = std::max(margin, mark.label.size() + 1);
    constexpr std::size_t fewest = 4;
    const std::size_t width = std::max(fewest, columns - std::min(columns, margin + 1));
    const std::size_t height = std::max(fewest, rows - std::min<std::size_t>(rows, 2));

    Canvas canvas(width, height, characters);
    const auto x_of = [&](const CurvePoint& point) {
        return position(point.x, plot.least.x, plot.most.x, canvas.width());
    };
    const auto y_of = [&](const CurvePoint& point) {
        return position(point.y, plot.least.y, plot.most.y, canvas.height());
    };
    for (std::size_t i = 0; i < plot.curve.size(); ++i) {
        const CurvePoint& from = plot.curve[i == 0 ? 0 : i - 1];
        canvas.line(x_of(from), y_of(from), x_of(plot.curve[i]), y_of(plot.curve[i]));
    }

    std::vector<std::string> labels(height);
    for (const PlacedMark& mark : place(plot.y_marks, plot.least.y, plot.most.y, height)) {
        labels[height - 1 - mark.at] = mark.label;
    }
    std::vector<std::string> lines;
    for (std::size_t row = 0; row < height; ++row) {
        const std::string_view axis = labels[row].empty() ? characters.vertical : characters.vertical_mark;
        std::string curve = canvas.row(row);
        curve.erase(curve.find_last_not_of(' ') + 1);
        lines.push_back(fmt::format("{:>{}} {}{}", labels[row], margin == 0 ? 0 : margin - 1, axis,
                                    style && !curve.empty() ? style(curve) : curve));
    }
    for (std::string& line : x_axis(place(plot.x_marks, plot.least.x, plot.most.x, width), width, margin, characters)) {
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace redtune::cli
