#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_choice.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/size_filter.h"
#include "tuner/core/named.h"
#include "tuner/core/size_list.h"
#include "tuner/search/replay_executor.h"
#include "tuner/search/simulation.h"

namespace redtune::cli {

namespace {

using search::Known;

constexpr std::array known_names = {
    Named<Known>{"nothing", Known::nothing}, Named<Known>{"neighbours", Known::neighbours},
    Named<Known>{"earlier", Known::earlier}, Named<Known>{"in_flight", Known::in_flight}};

struct SimulateOptions {
    ProblemOptions problem;
    std::string device;
    std::string sizes;
    std::string regime = "cold";
    std::vector<std::string> strategies = search::strategy_names();
    std::vector<std::size_t> budgets = {25, 50, 100, 200, 400, 800};
    std::size_t seeds = 30;
    std::string known = "nothing";
    bool look_ups = false;
    Format format = Format::table;
};

/// Returns the recording that --device names.
/// @throws InputError for a GPU
std::string recording_of(const std::string& device) {
    DeviceChoice choice;
    if (device.empty()) {
        const std::vector<std::string> names = search::ReplayExecutor::names();
        if (!names.empty()) choice.recording = names.front();
    } else {
        choice = choose_device(device);
    }
    if (choice.recording.empty()) {
        throw InputError(fmt::format(
            "simulate needs a recording, because it needs the times of all candidates: --device replay:NAME, "
            "where NAME is {}",
            fmt::join(search::ReplayExecutor::names(), ", ")));
    }
    return choice.recording;
}

/// Returns the sizes that --size selects among those whose candidates were all recorded.
/// @throws InputError if there is none
std::vector<std::uint64_t> select_sizes(const search::ReplayExecutor& recording, const std::vector<Family>& families,
                                        const Problem& problem, Regime regime, const std::string& selection) {
    std::vector<std::uint64_t> sizes = recording.sizes(regime);
    const auto is_selected = parse_size_filter(selection);
    std::erase_if(sizes, [&](std::uint64_t n) { return !is_selected(n); });
    if (sizes.empty()) {
        // An impossible size makes refuses() say what was recorded.
        throw InputError("there is no recorded size to search: " + recording.refuses(0, regime).value_or(""));
    }
    sizes = search::searchable_sizes(recording, families, problem, regime, std::move(sizes));
    if (!sizes.empty()) return sizes;
    throw InputError(fmt::format(
        "the recording has times of only some candidates {}, and a simulated search needs all; {}",
        selection.empty() ? "of this problem" : "at --size " + selection,
        selection.empty() ? "choose another problem" : "leave out --size to search every size that has them"));
}

std::vector<std::size_t> sorted_budgets(std::vector<std::size_t> budgets) {
    std::ranges::sort(budgets);
    budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
    return budgets;
}

/// Returns a regret in per cent; nothing if a search had nothing to choose.
Cell percent_cell(double regret) {
    return std::isfinite(regret) ? Cell(100 * regret) : Cell();
}

Table table_of(const std::vector<search::SimulatedSearch>& searches) {
    Table table({{"strategy"},
                 {"budget"},
                 {"screenings", 0},
                 {"share_percent", 1, Visibility::if_room},
                 {"kernels", 1},
                 {"gpu_s", 3},
                 {"regret_percent", 2},
                 {"p95_percent", 2},
                 {"max_percent", 2}});
    for (const search::SimulatedSearch& each : searches) {
        table.add({std::string(search::strategy_name(each.strategy)), static_cast<std::int64_t>(each.budget),
                   each.screenings, 100 * each.share, each.kernels, each.gpu_s, percent_cell(each.regret_median),
                   percent_cell(each.regret_95), percent_cell(each.regret_largest)});
    }
    return table;
}

void run(const SimulateOptions& options) {
    search::SimulationRequest request;
    const std::vector<Problem> problems = parse_problems(options.problem);
    if (problems.size() != 1) throw InputError("simulate works on one problem: give one --dtype");
    request.problem = problems.front();
    request.regime = parse_regime(options.regime);
    for (const std::string& name : options.strategies) request.strategies.push_back(search::parse_strategy(name));
    request.seeds = options.seeds;
    request.budgets = sorted_budgets(options.budgets);
    request.known = parse_named(known_names, "knowledge", options.known);
    const std::vector<Family> families = load_sources(options.problem).families();
    search::ReplayExecutor recording(recording_of(options.device), request.problem, families);
    std::optional<Catalog> catalog;
    if (options.look_ups) catalog = Catalog::open();
    request.catalog = catalog ? &*catalog : nullptr;
    request.sizes = select_sizes(recording, families, request.problem, request.regime, options.sizes);
    note("{} on {}, {}: {} size{}; {} search{} of each by strategies that choose at random\n",
         describe(request.problem), recording.device().name, to_string(request.regime), request.sizes.size(),
         request.sizes.size() == 1 ? "" : "s", request.seeds, request.seeds == 1 ? "" : "es");
    table_of(search::simulate(recording, families, request)).print(std::cout, options.format);
}

}  // namespace

void add_simulate_command(CLI::App& app, int& /*exit_code*/) {
    auto options = std::make_shared<SimulateOptions>();
    CLI::App* command = app.add_subcommand(
        "simulate", "Compares search strategies on a recording, in which all candidates have a time; needs no GPU");
    add_problem_options(*command, options->problem, {.determinism = true, .templates = false});
    command->add_option("--device", options->device, "The recording: replay:NAME (default: the first one)");
    command->add_option("--size", options->sizes, "Recorded sizes to search: 1Ki..1Mi, lists (default: all)");
    command->add_option("--regime", options->regime, "cold, warm or back_to_back")->capture_default_str();
    command
        ->add_option("--strategy", options->strategies,
                     fmt::format("Strategies to compare: {} (default: all)", fmt::join(search::strategy_names(), ", ")))
        ->delimiter(',');
    command
        ->add_option("--budget", options->budgets,
                     "Numbers of screened candidates of a size after which the search is judged")
        ->delimiter(',')
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--seeds", options->seeds, "Searches of each size by a strategy that chooses at random")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command
        ->add_option(
            "--known", options->known,
            "What a strategy knows before: nothing, neighbours (all times of the nearest three sizes), earlier (what "
            "it screened at the nearest three smaller sizes, as in a sweep), or in_flight (as a sweep on a GPU, which "
            "searches eight sizes at a time)")
        ->capture_default_str();
    command->add_flag("--look-ups", options->look_ups,
                      "`evolutionary` begins with what look-ups pick, from your database and the shipped ones");
    add_format_option(*command, options->format);
    command->callback([options] { run(*options); });
}

}  // namespace redtune::cli
