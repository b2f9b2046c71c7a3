#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "db/layer.h"
#include "db/merged_winners.h"
#include "db/shape.h"
#include "redtune/error.h"
#include "redtune/problem.h"
#include "redtune/size.h"
#include "tuner/cli/colour.h"
#include "tuner/cli/command.h"
#include "tuner/cli/curve_plot.h"
#include "tuner/cli/layers_to_read.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/size_filter.h"
#include "tuner/cli/terminal.h"
#include "tuner/cli/tuned_device.h"
#include "tuner/cli/wrap.h"
#include "tuner/core/named.h"

namespace redtune::cli {

namespace {

constexpr std::size_t rows = 18;  ///< of a plot, with its axis

struct PlotOptions {
    ProblemOptions problem;
    std::string device;
    std::string sizes;
    std::string regime = "cold";
    std::string value = "bandwidth";
    std::optional<std::string> file;
};

/// The winner at one size.
struct PlottedWinner {
    double time_us = 0;
    double gb_per_s = 0;
};

/// The winners of one problem on one device by size.
struct PlottedDevice {
    double peak_gb_per_s = 0;  ///< 0: unknown, or no limit
    std::map<std::uint64_t, PlottedWinner> winners;
};

/// Returns the peak bandwidths of the devices by their names; 0: unknown.
std::map<std::string, double> peaks_of(const std::vector<db::Layer>& layers) {
    std::map<std::string, double> peaks;
    for (const db::Layer& layer : layers) {
        for (const DeviceInfo& device : layer.open().devices()) {
            double& peak = peaks[device.name];
            peak = std::max(peak, device.peak_gb_per_s);
        }
    }
    return peaks;
}

/// Returns the winners of the problem, by the names of their devices.
std::map<std::string, PlottedDevice> winners_of(const std::vector<db::Layer>& layers, const Problem& problem,
                                                const PlotOptions& options) {
    db::WinnerFilter filter;
    filter.op = problem.op;
    filter.dtype = std::string(to_string(problem.input));
    filter.regime = options.regime;
    const db::Listing listing = db::list_merged_winners(layers, filter);
    const auto is_size = parse_size_filter(options.sizes);
    std::map<std::string, PlottedDevice> found;
    for (const auto& row : listing.rows) {
        const auto text = [&](std::string_view name) { return std::get<std::string>(row[listing.column(name)]); };
        const auto n = static_cast<std::uint64_t>(std::get<std::int64_t>(row[listing.column("n")]));
        const bool is_problem = text("shape") == db::stored_shape(problem) &&
                                text("accumulator_type") == to_string(problem.accumulator) &&
                                text("output_type") == to_string(problem.output) &&
                                text("determinism").find(to_string(problem.determinism)) != std::string::npos;
        if (!is_problem || !is_size(n)) continue;
        found[text("device")].winners[n] = {std::get<double>(row[listing.column("time_us")]),
                                            std::get<double>(row[listing.column("gb_per_s")])};
    }
    return found;
}

/// Returns the name of the device to plot: that of --device, or that of the only device with winners; empty if there is
/// none. Prints the tuned devices and returns nothing if --device names none of them.
/// @throws InputError if winners of several devices were found and --device is not given
std::optional<std::string> choose_plotted_device(const std::map<std::string, PlottedDevice>& found,
                                                 const std::map<std::string, double>& peaks,
                                                 const PlotOptions& options) {
    std::vector<std::string> names;
    if (!options.device.empty()) {
        for (const auto& [name, peak] : peaks) names.push_back(name);
        return choose_tuned_device(names, options.device);
    }
    for (const auto& [name, device] : found) names.push_back(name);
    if (names.size() > 1) {
        throw InputError(
            fmt::format("several devices have winners; choose one with --device: \"{}\"", fmt::join(names, "\", \"")));
    }
    return names.empty() ? std::string() : names.front();
}

/// Returns marks at every fourth size, from the largest power of 2 that is at most `least`: 1Ki, 4Ki, 16Ki, ...
std::vector<AxisMark> size_marks(std::uint64_t least, std::uint64_t most) {
    std::vector<AxisMark> marks;
    for (int power = static_cast<int>(std::floor(std::log2(least)));
         std::ldexp(1.0, power) <= static_cast<double>(most); power += 2) {
        marks.push_back({static_cast<double>(power), format_size(std::uint64_t{1} << power)});
    }
    return marks;
}

/// Returns marks at 0 and at round numbers up to `most`, at least four of them.
std::vector<AxisMark> round_marks(double most) {
    double step = std::pow(10, std::floor(std::log10(most)));
    while (most / step < 4) step /= 2;
    std::vector<AxisMark> marks;
    for (int i = 0; i * step <= most * 1.0001; ++i) marks.push_back({i * step, fmt::format("{:g}", i * step)});
    return marks;
}

/// Returns marks at 1, 2 and 5 times each power of ten, on a logarithmic axis.
std::vector<AxisMark> time_marks(double least_us, double most_us) {
    std::vector<AxisMark> marks;
    for (int power = static_cast<int>(std::floor(std::log10(least_us))); std::pow(10, power) <= most_us; ++power) {
        for (const int factor : {1, 2, 5}) {
            const double us = factor * std::pow(10, power);
            marks.push_back({std::log10(us), fmt::format("{:g}", us)});
        }
    }
    return marks;
}

CurvePlot make_plot(const PlottedDevice& device, bool is_time) {
    CurvePlot plot;
    double least_us = device.winners.begin()->second.time_us;
    double most_us = least_us;
    double most_gb_per_s = device.peak_gb_per_s;
    for (const auto& [n, winner] : device.winners) {
        plot.curve.push_back({std::log2(n), is_time ? std::log10(winner.time_us) : winner.gb_per_s});
        least_us = std::min(least_us, winner.time_us);
        most_us = std::max(most_us, winner.time_us);
        most_gb_per_s = std::max(most_gb_per_s, winner.gb_per_s);
    }
    const std::uint64_t least = device.winners.begin()->first;
    const std::uint64_t most = device.winners.rbegin()->first;
    plot.x_marks = size_marks(least, most);
    plot.least = {std::log2(least), is_time ? std::log10(least_us * 0.9) : 0};
    plot.most = {std::log2(most), is_time ? std::log10(most_us * 1.1) : most_gb_per_s};
    plot.y_marks = is_time ? time_marks(least_us, most_us) : round_marks(most_gb_per_s);
    return plot;
}

void print_plot(const PlotOptions& options, int& exit_code) {
    if (options.value != "bandwidth" && options.value != "time") {
        throw InputError(unknown_name("value", options.value, {"bandwidth", "time"}));
    }
    const bool is_time = options.value == "time";
    parse_regime(options.regime);
    const std::vector<Problem> problems = parse_problems(options.problem);
    if (problems.size() > 1) throw InputError("a plot has one input type; give one with --dtype");
    const std::vector<db::Layer> layers = layers_to_read(options.file);
    const std::map<std::string, double> peaks = peaks_of(layers);
    std::map<std::string, PlottedDevice> found = winners_of(layers, problems.front(), options);
    const std::optional<std::string> name = choose_plotted_device(found, peaks, options);
    if (!name) {
        exit_code = nothing_found;
        return;
    }
    PlottedDevice& device = found[*name];
    if (device.winners.size() < 2) {
        fmt::print(stderr, "There are not two winners of {}, {}, to plot; `redtune db stats` says what there is.\n",
                   describe(problems.front()), options.regime);
        exit_code = nothing_found;
        return;
    }
    // Warm inputs do not come from memory, so its peak is no limit for them.
    if (options.regime != "warm") device.peak_gb_per_s = peaks.at(*name);
    const std::string peak =
        is_time || device.peak_gb_per_s == 0 ? "" : fmt::format(" (memory's peak: {:.0f})", device.peak_gb_per_s);
    const std::string title = fmt::format("{} on {}, {}: {} of the winners by elements{}", describe(problems.front()),
                                          *name, options.regime, is_time ? "time in us" : "bandwidth in GB/s", peak);
    const std::size_t columns = table_columns(STDOUT_FILENO);
    for (const std::string& line : wrap(title, columns, " ")) {
        fmt::print("{}\n", styled(line, Style::heading, STDOUT_FILENO));
    }
    const auto curve_style = [](std::string_view curve) { return styled(curve, Style::curve, STDOUT_FILENO); };
    for (const std::string& line : draw_curve(make_plot(device, is_time), columns, rows, !has_utf8(), curve_style)) {
        fmt::print("{}\n", line);
    }
}

}  // namespace

void add_plot_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<PlotOptions>();
    CLI::App* command = app.add_subcommand("plot", "Draws the winners of a problem by size in the terminal");
    add_problem_options(*command, options->problem, {.determinism = true});
    command->add_option("--device", options->device,
                        "The device: its name or a part of it (h200), a GPU's number, or replay:NAME (default: the one "
                        "that has winners)");
    command->add_option("--size", options->sizes, "Only these sizes in elements: 4096, 1Ki..16Mi");
    command->add_option("--regime", options->regime, "cold, warm or back_to_back")->capture_default_str();
    command->add_option("--value", options->value, "What is drawn: bandwidth or time")->capture_default_str();
    command->add_option("--db", options->file,
                        "The only database file to read (default: your own and the shipped ones)");
    command->callback([options, &exit_code] { print_plot(*options, exit_code); });
}

}  // namespace redtune::cli
