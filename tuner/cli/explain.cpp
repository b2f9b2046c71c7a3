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
#include "tuner/cli/explain_output.h"
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
    Format format = Format::table;
};

std::filesystem::path user_file(const ExplainOptions& options) {
    if (!options.file) return db::user_database_path();
    if (std::filesystem::exists(*options.file)) return *options.file;
    throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", *options.file));
}

void explain_devices(const ExplainOptions& options, int& exit_code) {
    const std::uint64_t n = parse_size(options.n);
    const Problem problem = parse_problem(options.problem, n);
    SelectOptions select;
    select.regime = parse_regime(options.regime);
    const std::filesystem::path user = user_file(options);
    CatalogOptions from;
    from.user_database = user;
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
    if (!explained.empty()) print_explanations(explained, families, options.format);
}

}  // namespace

void add_explain_command(CLI::App& app, int& exit_code) {
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
    add_format_option(*command, options->format);
    command->callback([options, &exit_code] { explain_devices(*options, exit_code); });
}

}  // namespace redtune::cli
