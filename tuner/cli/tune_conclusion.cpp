#include "tuner/cli/tune_conclusion.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "redtune/size.h"
#include "tuner/cli/colour.h"
#include "tuner/report/describe_problem.h"
#include "tuner/report/problem_as_options.h"

namespace redtune::cli {

namespace {

std::string figure(const std::string& text) {
    return styled(text, Style::good, STDERR_FILENO);
}

/// Returns the line about the largest bandwidth, with its share of the memory's peak if that is known.
std::string largest_bandwidth(const std::vector<TunedCell>& cells) {
    const auto best = std::max_element(cells.begin(), cells.end(),
                                       [](const TunedCell& a, const TunedCell& b) { return a.gb_per_s < b.gb_per_s; });
    std::string line = fmt::format("  bandwidth  up to {}, at {}", figure(fmt::format("{:.0f} GB/s", best->gb_per_s)),
                                   format_size(best->n));
    if (best->peak_percent)
        line += fmt::format(": {} of the memory's peak", figure(fmt::format("{:.1f} %", *best->peak_percent)));
    return line + "\n";
}

/// Returns the line about the speed-up over the classic reduction; empty if it was measured at no size.
std::string speedup_over_classic(const std::vector<TunedCell>& cells) {
    std::vector<double> speedups;
    for (const TunedCell& cell : cells) {
        if (cell.speedup) speedups.push_back(*cell.speedup);
    }
    if (speedups.empty()) return {};
    const auto [least, most] = std::minmax_element(speedups.begin(), speedups.end());
    std::string speedup = fmt::format("{:.2f}", *least);
    if (speedups.size() > 1) speedup += fmt::format(" to {:.2f}", *most);
    std::string line = fmt::format("  speed-up   {} times over the classic kernel", figure(speedup));
    if (speedups.size() < cells.size()) line += fmt::format(", at {} of {} sizes", speedups.size(), cells.size());
    return line + "\n";
}

/// Returns the options of a problem without the determinism that is the default.
std::string without_default(std::string options) {
    const std::string_view by_default = " --determinism any";
    const std::size_t at = options.find(by_default);
    if (at != std::string::npos) options.erase(at, by_default.size());
    return options;
}

/// Returns a label and a command, broken before options into lines of at most `columns`.
std::string labelled(std::string_view label, const std::string& command, std::size_t columns) {
    constexpr std::size_t label_width = 10;
    std::string lines = styled(fmt::format("{:<{}}", label, label_width), Style::heading, STDERR_FILENO);
    const std::string indent(label_width + 2, ' ');
    std::size_t width = label_width;
    for (std::size_t begin = 0, end = 0; begin < command.size(); begin = end) {
        end = std::min(command.find(" --", begin + 1), command.size());
        const std::string part = command.substr(begin, end - begin);
        const std::size_t continuation = end < command.size() ? 2 : 0;  // room for the backslash
        if (begin > 0 && width + part.size() + continuation > columns) {
            lines += " \\\n" + indent + part.substr(1);
            width = indent.size() + part.size() - 1;
        } else {
            lines += part;
            width += part.size();
        }
    }
    return lines + "\n";
}

}  // namespace

std::string conclude(const Problem& problem, const DeviceInfo& device, const std::vector<TunedCell>& cells) {
    std::string lines;
    for (const Regime regime : {Regime::cold, Regime::warm, Regime::back_to_back}) {
        std::vector<TunedCell> of_regime;
        std::copy_if(cells.begin(), cells.end(), std::back_inserter(of_regime),
                     [&](const TunedCell& cell) { return cell.regime == regime; });
        if (of_regime.empty()) continue;
        const std::string title =
            fmt::format("{} on {}, {}: winners of {} size{}", report::describe(problem), device.name, to_string(regime),
                        of_regime.size(), of_regime.size() == 1 ? "" : "s");
        lines += "\n" + styled(title, Style::heading, STDERR_FILENO) + "\n";
        lines += largest_bandwidth(of_regime) + speedup_over_classic(of_regime);
    }
    return lines;
}

std::string next_commands(const Problem& problem, const std::string& device, std::uint64_t n, Regime regime,
                          const std::string& database, std::size_t columns) {
    const std::string options = without_default(report::as_options(problem));
    const std::string on = fmt::format(" --device \"{}\"{}{}", device,
                                       regime == Regime::cold ? "" : fmt::format(" --regime {}", to_string(regime)),
                                       database.empty() ? "" : fmt::format(" --db {}", database));
    const std::string size = " --n " + format_size(n);
    return "\n" + labelled("any size", fmt::format("redtune query {}{}{}", options, size, on), columns) +
           labelled("why", fmt::format("redtune explain {}{}{}", options, size, on), columns) +
           labelled("curve", fmt::format("redtune plot {}{}", options, on), columns) +
           labelled("charts",
                    fmt::format("redtune report --out report.html{}",
                                database.empty() ? "" : fmt::format(" --db {}", database)),
                    columns);
}

}  // namespace redtune::cli
