#include "tuner/cli/progress_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace redtune::cli {

namespace {

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

}  // namespace

std::string progress_bar(double done, std::size_t columns, bool is_ascii) {
    // Blocks that fill one to seven eighths of a character from the left.
    constexpr std::array<std::string_view, 7> parts = {"▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    constexpr std::size_t eighths = parts.size() + 1;
    const double share = std::clamp(std::isnan(done) ? 0.0 : done, 0.0, 1.0);
    if (is_ascii) {
        const std::size_t inner = std::max<std::size_t>(columns, 2) - 2;
        const auto full = static_cast<std::size_t>(share * static_cast<double>(inner));
        return "[" + repeated("#", full) + repeated(".", inner - full) + "]";
    }
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(columns * eighths));
    const std::size_t full = filled / eighths;
    std::string bar = repeated("█", full);
    if (full == columns) return bar;
    bar += filled % eighths == 0 ? "░" : parts[filled % eighths - 1];
    return bar + repeated("░", columns - full - 1);
}

}  // namespace redtune::cli
