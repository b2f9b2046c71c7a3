#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "db/location.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "redtune/size.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_name.h"
#include "tuner/cli/explain_output.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/ncu.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/queried_device.h"

namespace redtune::cli {

namespace {

struct ExplainOptions {
    ProblemOptions problem;
    std::string n;
    std::vector<std::string> devices;
    std::string regime = "cold";
    std::optional<std::string> file;
    bool counters = false;
    Format format = Format::table;
};

std::filesystem::path user_file(const ExplainOptions& options) {
    if (!options.file) return db::user_database_path();
    if (std::filesystem::exists(*options.file)) return *options.file;
    throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", *options.file));
}

int find_gpu_of_driver(std::string_view name) {
    for (const KnownDevice& device : known_devices()) {
        if (device.ordinal >= 0 && device.name == name) return device.ordinal;
    }
    return -1;
}

/// Reads the hardware counters of a match's call on the GPU for which it was looked up.
/// @throws DeviceError if the GPU is not in this machine, or if the counters cannot be read
std::vector<report::Counters> counters_of(const ExplainedMatch& explained, const ExplainOptions& options,
                                          const std::filesystem::path& ncu, int ordinal) {
    const Match& match = explained.match;
    search::WorkerTask task;
    task.ordinal = ordinal;
    task.problem = explained.problem;
    task.largest_n = explained.n;
    task.templates = options.problem.templates;
    task.operator_file = options.problem.op_file;
    Trial trial;
    trial.configuration = {std::string(match.family), {match.parameters.begin(), match.parameters.end()}};
    trial.rule = *match.rule;
    return read_counters(ncu, task, trial, explained.n);
}

/// Reads the counters of all matches.
/// @return why they could not be read; empty if they were
std::string add_counters(std::vector<ExplainedMatch>& matches, const ExplainOptions& options,
                         const std::filesystem::path& ncu, int (*find_gpu)(std::string_view)) {
    try {
        for (ExplainedMatch& explained : matches) {
            const int ordinal = find_gpu(explained.match.device);
            if (ordinal < 0) {
                return fmt::format(
                    "--counters: hardware counters are read on the GPU itself, and \"{}\" is not in this "
                    "machine (see `redtune devices`)",
                    explained.match.device);
            }
            explained.counters = counters_of(explained, options, ncu, ordinal);
        }
    } catch (const DeviceError& error) {
        return error.what();
    }
    return {};
}

void explain_devices(const ExplainOptions& options, int& exit_code, int (*find_gpu)(std::string_view)) {
    if (options.counters && options.format == Format::csv) {
        throw InputError("--counters: csv has a line for each parameter and no counters; take --format json");
    }
    const std::filesystem::path ncu = options.counters ? find_ncu() : std::filesystem::path();
    const std::uint64_t n = parse_size(options.n);
    const Problem problem = parse_problem(options.problem, n);
    SelectOptions select;
    select.regime = parse_regime(options.regime);
    const std::filesystem::path user = user_file(options);
    CatalogOptions from;
    from.user_database = user;
    detail("reading {} and the winners in {}\n", user.string(), db::system_data_folder().string());
    const Catalog catalog = Catalog::open(from);
    const std::vector<Family> families = load_sources(options.problem).families();
    std::vector<std::optional<std::string>> devices(options.devices.begin(), options.devices.end());
    if (devices.empty()) devices.emplace_back();
    std::vector<ExplainedMatch> explained;
    for (const std::optional<std::string>& device : devices) {
        const QueriedDevice queried = choose_queried_device(catalog, device);
        const Selector selector = catalog.select(problem, queried.info, select);
        if (const std::optional<Match> match = selector.find(n)) {
            explained.push_back({problem, n, select.regime, *match, explain_match(*match, user, families)});
            continue;
        }
        fmt::print(stderr, "Nothing can be answered for \"{}\":\n{}\n", queried.info.name, selector.why_not(n));
        exit_code = nothing_found;
    }
    std::string why_no_counters;
    if (options.counters) why_no_counters = add_counters(explained, options, ncu, find_gpu);
    if (!explained.empty()) print_explanations(explained, families, options.format);
    if (why_no_counters.empty()) return;
    fmt::print(stderr, "redtune: {}\n", why_no_counters);
    exit_code = no_device;
}

}  // namespace

void add_explain_command(CLI::App& app, int& exit_code, int (*find_gpu)(std::string_view name)) {
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App* command = app.add_subcommand(
        "explain", "Why a configuration won: the runner-up, what each parameter is worth, the limit");
    add_problem_options(*command, options->problem, {.determinism = true});
    command->add_option("--n", options->n, "How many elements: 4096, 16Mi, 1Gi")->required();
    command->add_option("--device", options->devices,
                        "The devices: names or parts of them (h200), GPUs' numbers, or replay:NAME (default: the GPU "
                        "of this machine)");
    command->add_option("--regime", options->regime, "Where the input is: cold, warm or back_to_back")
        ->capture_default_str();
    command->add_option("--db", options->file, "Database to read in place of your own, besides the shipped data");
    command->add_flag("--counters", options->counters,
                      "Also read hardware counters of the winner with Nsight Compute (ncu), on a GPU of this machine");
    add_format_option(*command, options->format);
    if (find_gpu == nullptr) find_gpu = find_gpu_of_driver;
    command->callback([options, find_gpu, &exit_code] { explain_devices(*options, exit_code, find_gpu); });
}

}  // namespace redtune::cli
