#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>

#include "db/layer.h"
#include "db/location.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/problem_filter.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/size_filter.h"
#include "tuner/cli/tuned_device.h"
#include "tuner/cli/write_file.h"
#include "tuner/core/library_folder.h"
#include "tuner/report/page.h"

namespace redtune::cli {

namespace {

struct ReportOptions {
    ProblemOptions problem = unset_problem_options();
    std::vector<std::string> devices;
    std::string sizes;
    std::vector<std::string> regimes;
    std::string output;
    std::vector<std::string> files;
    std::vector<std::string> benches;
};

/// Returns the files of the report: those of --db; without --db, those that look-ups read, and the recordings.
/// @throws DatabaseError if there is no file
report::PageRequest request_of_files(const ReportOptions& options) {
    report::PageRequest request;
    for (const std::string& file : options.files) request.layers.push_back({"given", file, db::Access::read_only});
    if (!options.files.empty()) return request;
    request.layers = db::default_layers();
    for (const db::Recording& recording : db::recordings()) {
        request.recordings.push_back({"recording", recording.file, db::Access::immutable});
    }
    if (request.layers.empty() && request.recordings.empty()) {
        throw DatabaseError(fmt::format("no database at {} and no shipped data in {}; `redtune tune` makes a database",
                                        db::user_database_path().string(), db::system_data_folder().string()));
    }
    return request;
}

/// Returns the names of the devices that the files have measurements of.
std::vector<std::string> device_names(const report::PageRequest& request) {
    std::vector<std::string> names;
    for (const auto* layers : {&request.layers, &request.recordings}) {
        for (const db::Layer& layer : *layers) {
            for (const DeviceInfo& device : layer.open().devices()) names.push_back(device.name);
        }
    }
    return names;
}

report::PageFilter parse_page_filter(const ReportOptions& options) {
    report::PageFilter filter;
    filter.is_problem = parse_problem_filter(options.problem);
    filter.is_size = parse_size_filter(options.sizes);
    for (const std::string& name : options.regimes) filter.regimes.push_back(parse_regime(name));
    return filter;
}

/// Returns the command line that the page names as its origin, without the paths of the files.
std::string page_command(const ReportOptions& options) {
    std::string text = "redtune report";
    const auto add = [&text](const char* name, const std::string& value) {
        if (!value.empty()) text += fmt::format(" {} {}", name, value);
    };
    add("--op", options.problem.op);
    add("--dtype", fmt::format("{}", fmt::join(options.problem.dtypes, ",")));
    add("--shape", options.problem.shape);
    add("--accumulator", options.problem.accumulator);
    add("--output", options.problem.output);
    for (const std::string& device : options.devices) add("--device", fmt::format("\"{}\"", device));
    add("--size", options.sizes);
    add("--regime", fmt::format("{}", fmt::join(options.regimes, ",")));
    return text;
}

std::string read_whole(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream || text.empty()) throw Error(fmt::format("{} cannot be read, or is empty", file.string()));
    return text;
}

/// Prints that nothing matches, and the devices and problems that the files have.
void print_nothing_matches(report::PageRequest request) {
    constexpr std::size_t most_named = 12;
    request.filter = {};
    std::set<std::string> problems;
    std::set<std::string> devices;
    for (const auto* layers : {&request.layers, &request.recordings}) {
        for (const db::Layer& layer : *layers) {
            const db::Store store = layer.open();
            for (const DeviceInfo& device : store.devices()) {
                devices.insert(device.name);
                for (const Problem& problem : store.problems(device)) problems.insert(describe(problem));
            }
        }
    }
    if (problems.empty()) {
        fmt::print(stderr, "The databases are empty; `redtune tune` measures.\n");
        return;
    }
    std::vector<std::string> named(problems.begin(), problems.end());
    const std::size_t others = named.size() - std::min(named.size(), most_named);
    named.resize(named.size() - others);
    fmt::print(stderr, "Nothing that was measured matches. There is {}{} on {}; `redtune db stats` shows the sizes.\n",
               fmt::join(named, "; "), others == 0 ? "" : fmt::format("; and {} more", others),
               fmt::join(devices, "; "));
}

/// Adds the times of CUB in the files of --bench and, without --db, in those that ship.
/// @throws InputError, which names the file, for a file that is no comparison
void add_comparisons(const ReportOptions& options, report::PageRequest& request) {
    std::vector<std::filesystem::path> files(options.benches.begin(), options.benches.end());
    if (options.files.empty()) {
        for (auto& file : db::comparison_files(db::system_data_folder())) files.push_back(std::move(file));
    }
    for (const std::filesystem::path& file : files) {
        std::vector<report::BenchTime> times;
        try {
            times = report::parse_bench_csv(read_whole(file));
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: {}", file.string(), error.what()));
        }
        request.compared.insert(request.compared.end(), times.begin(), times.end());
        request.compared_files.push_back(file.filename().string());
    }
}

/// Returns the names of the devices that the options select; nothing, after a message, if one of them is unknown.
std::optional<std::vector<std::string>> devices_of_report(const ReportOptions& options,
                                                          const report::PageRequest& request) {
    std::vector<std::string> chosen;
    for (const std::string& device : options.devices) {
        const auto name = choose_tuned_device(device_names(request), device);
        if (!name) return std::nullopt;
        chosen.push_back(*name);
    }
    return chosen;
}

/// Warns of comparisons that are not shown, because they do not name their device and the page has several.
void warn_of_hidden_comparisons(const report::PageRequest& request, const Json& page) {
    const bool has_unnamed =
        std::ranges::any_of(request.compared, [](const auto& time) { return time.device.empty(); });
    if (!has_unnamed || page.at("devices").size() <= 1) return;
    fmt::print(stderr,
               "The page has several devices, and a file of --bench does not say on which one it was made, so that its "
               "times of CUB are not shown: choose its device with --device.\n");
}

void run_report(const ReportOptions& options, int& exit_code) {
    report::PageRequest request = request_of_files(options);
    request.filter = parse_page_filter(options);
    const std::filesystem::path library =
        report::find_chart_library({system_data_folder(), data_folder_for(library_folder())});
    const auto devices = devices_of_report(options, request);
    if (!devices) {
        exit_code = nothing_found;
        return;
    }
    request.filter.devices = *devices;
    if (options.devices.size() > 1) {
        request.side_by_side = "device";
    } else if (options.files.size() > 1) {
        request.side_by_side = "file";
    }
    const std::vector<Family> families = load_sources(options.problem).families();
    request.families = families;
    add_comparisons(options, request);
    const Json data = report::page_data(request, page_command(options));
    if (report::is_empty_page(data)) {
        print_nothing_matches(std::move(request));
        exit_code = nothing_found;
        return;
    }
    warn_of_hidden_comparisons(request, data);
    const std::string page = report::html_page(data, read_whole(library));
    if (options.output == "-") {
        std::fwrite(page.data(), 1, page.size(), stdout);
    } else {
        write_file(options.output, page);
        note("{}: {} KiB; open it in a browser\n", options.output, (page.size() + 1023) / 1024);
    }
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ReportOptions>();
    CLI::App* command = app.add_subcommand(
        "report", "One HTML page with charts of what was measured, which opens from disk, without a network");
    command->add_option("-o,--out", options->output, "The file to write: report.html; -: stdout")->required();
    add_problem_options(*command, options->problem, {});
    command->get_option("--dtype")->default_str("");
    command
        ->add_option(
            "--device", options->devices,
            "Only these devices: the name or a part of it (h200), a GPU's number, or replay:NAME; several, as in "
            "h200,b200, are shown side by side")
        ->delimiter(',');
    command->add_option("--size", options->sizes, "Only these sizes in elements: 4096, 1Ki..16Mi");
    command->add_option("--regime", options->regimes, "Only these regimes: cold, warm, back_to_back")->delimiter(',');
    command->add_option("--bench", options->benches,
                        "Times of CUB to show: a file with what `redtune bench --format csv` printed; may be repeated");
    command->add_option("--db", options->files,
                        "The only database file to read (default: your own and the shipped ones); several, each with "
                        "--db, are shown side by side");
    command->callback([options, &exit_code] { run_report(*options, exit_code); });
}

}  // namespace redtune::cli
