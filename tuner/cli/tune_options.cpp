#include "tuner/cli/tune_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <system_error>

#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/search/strategy_kind.h"
#include "tuner/timing/data.h"

namespace redtune::cli {

namespace {

/// Returns the number of races that --self-test names; an empty text means the default.
int parse_races(const std::string& text) {
    constexpr int most = 1'000'000;
    if (text.empty()) return 100;
    int races = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), races);
    if (error != std::errc() || end != text.data() + text.size() || races < 1 || races > most) {
        throw CLI::ValidationError("--self-test",
                                   fmt::format("'{}' is no number of races; allowed are 1 to {}", text, most));
    }
    return races;
}

}  // namespace

void add_tune_options(CLI::App& command, TuneOptions& options) {
    add_problem_options(command, options.problem, {.determinism = true, .templates = true});
    command.add_option("--family", options.families, "Measure these families only (default: all)")->delimiter(',');
    command.add_option("--size", options.sizes, "Elements: 4096, 16Mi, 1Ki..1Gi (powers of two), 1Ki..1Gi:4, lists")
        ->capture_default_str();
    command
        .add_option("--between", options.between,
                    "Sizes to tune between neighbouring sizes, for each factor of 2, with the configurations that are "
                    "near the best there (0: none)")
        ->check(CLI::Range(0, 64))
        ->capture_default_str();
    command
        .add_option("--checks", options.checks,
                    "Sizes that are not tuned, at which a look-up is compared with a search (0: none)")
        ->check(CLI::Range(0, 10000))
        ->capture_default_str();
    command
        .add_option(
            "--effort", options.effort,
            "exhaustive (all candidates), or thorough, standard or quick: a search that measures 200, 100 or 32 "
            "candidates of a size")
        ->capture_default_str();
    command.add_option(
        "--strategy", options.strategy,
        fmt::format("Search strategy: {} (default: that of the effort)", fmt::join(search::strategy_names(), ", ")));
    command
        .add_option("--budget", options.budget_s,
                    "Time for each problem, such as 30s or 5min. Every size gets an equal share (default: no limit)")
        ->transform(
            CLI::AsNumberWithUnit(std::map<std::string, double>{{"ms", 0.001}, {"s", 1}, {"min", 60}, {"h", 3600}},
                                  CLI::AsNumberWithUnit::CASE_INSENSITIVE, "TIME"))
        ->check(CLI::PositiveNumber);
    command
        .add_option(
            "--regime", options.regimes,
            "cold (input in device memory), warm (input in L2), back_to_back (as cold, calls back to back), or several")
        ->delimiter(',')
        ->capture_default_str();
    command
        .add_option(
            "--data", options.data,
            fmt::format("Data on which the finalists are compared: a file of elements, or {} (default: uniform; "
                        "uniform,outlier for sums in f32; uniform,ascending for argmin and argmax)",
                        timing::list_data_kinds()))
        ->delimiter(',');
    command.add_option(
        "--device", options.device,
        "GPU by number or part of its name, replay:NAME, several with commas (0,2,3), or all; several measure at the "
        "same time, each with a worker process (default: the first GPU, else the recorded one)");
    command.add_option("--db", options.database, "Database file (default: see `redtune db path`)");
    CLI::Option* plan = command.add_flag("--plan", options.plan_only, "Print the plan, measure nothing");
    command.add_flag("--resume,!--no-resume", options.resume,
                     "Reuse stored measurements (default), or measure all candidates again");
    command.add_flag(
        "--look-ups,!--no-look-ups", options.look_ups,
        "Begin each search with what look-ups pick there, from your database and the shipped ones (default)");
    command.add_flag("--worker,!--no-worker", options.by_worker,
                     "Measure in a worker process (default on a GPU): a candidate that hangs or faults costs only "
                     "itself and does not end the sweep, and kernels are compiled while others are measured");
    command.add_flag("--timing", options.timing,
                     "Print where the time of the sweep went, after the winners; with --format csv or json on stderr");
    // No flag with a default value: CLI11 2.4 takes such a flag as given in every command.
    command
        .add_option_function<std::string>(
            "--self-test", [&options](const std::string& races) { options.self_test_races = parse_races(races); },
            "Tune nothing; test whether the times of this machine can be trusted: two sweeps are compared, winners "
            "race against themselves (--self-test=RACES, default 100), and long times are compared with Nsight "
            "Compute's if there is an ncu. By default with quick effort at four sizes. Exit code 5 if they cannot be "
            "trusted")
        ->expected(0, 1)
        ->type_name("[RACES]")
        ->excludes(plan);
    add_format_option(command, options.format);
}

void finish_tune_options(TuneOptions& options, const CLI::App& command, const std::string& program) {
    // CLI11 2.1 makes a flag false that was not given.
    if (command.count("--worker") == 0) options.by_worker.reset();
    options.command_line = fmt::format("{} tune {} --size {} --regime {} --effort {} --between {} --checks {}", program,
                                       as_options(options.problem), options.sizes, fmt::join(options.regimes, ","),
                                       options.effort, options.between, options.checks);
    if (!options.families.empty()) {
        options.command_line += fmt::format(" --family {}", fmt::join(options.families, ","));
    }
    if (!options.strategy.empty()) options.command_line += " --strategy " + options.strategy;
    if (options.budget_s != 0) options.command_line += fmt::format(" --budget {}s", options.budget_s);
    if (!options.data.empty()) options.command_line += fmt::format(" --data {}", fmt::join(options.data, ","));
    if (!options.resume) options.command_line += " --no-resume";
    if (!options.look_ups) options.command_line += " --no-look-ups";
    if (options.self_test_races != 0) {
        if (command.count("--size") == 0) options.sizes = "1Ki,64Ki,4Mi,256Mi";
        if (command.count("--effort") == 0) options.effort = "quick";
        if (options.data.empty()) options.data = {"uniform"};
        options.between = 0;
        options.checks = 0;
        if (options.regimes.size() > 1 || options.data.size() > 1) {
            throw InputError("--self-test takes one regime and one kind of data; run it once for each of several");
        }
    }
}

}  // namespace redtune::cli
