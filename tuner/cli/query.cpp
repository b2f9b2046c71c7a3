#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "db/location.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/explain_output.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/queried_device.h"
#include "tuner/cli/query_output.h"
#include "tuner/cli/tuned_list.h"
#include "tuner/core/size_list.h"
#include "tuner/jit/current_software.h"
#include "tuner/lookup/measured_regret.h"

namespace redtune::cli {

namespace {

struct QueryOptions {
    ProblemOptions problem;
    std::string n;
    std::optional<std::string> device;
    std::string regime = "cold";
    std::optional<std::string> file;
    std::string max_workspace;
    bool no_pdl = false;
    bool no_forward_progress = false;
    std::vector<std::string> kinds;
    bool why = false;
    Format format = Format::table;
};

/// Opens the databases. @param only_problem CatalogOptions::only_problem
Catalog open(const QueryOptions& options, const std::optional<Problem>& only_problem) {
    CatalogOptions from;
    from.only_problem = only_problem;
    from.read_user_winners_on_demand = true;
    if (options.file) {
        if (!std::filesystem::exists(*options.file)) {
            throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", *options.file));
        }
        from.user_database = *options.file;
    }
    detail("reading {} and the winners in {}\n", options.file.value_or(db::user_database_path().string()),
           db::system_data_folder().string());
    return Catalog::open(from);
}

SelectOptions select_options(const QueryOptions& options) {
    SelectOptions made;
    made.regime = parse_regime(options.regime);
    if (!options.max_workspace.empty()) made.max_workspace_bytes = parse_size(options.max_workspace);
    made.allow_pdl = !options.no_pdl;
    made.allow_forward_progress = !options.no_forward_progress;
    for (const std::string& kind : options.kinds) made.kinds.push_back(parse_match_kind(kind));
    return made;
}

/// Returns the software at hand, of which only the code of one family is compared. Reading all families takes longer
/// than the look-up.
Software software_for(const QueryOptions& options, std::string_view family, bool is_device_here) {
    std::vector<Family> families;
    if (auto found = load_sources(options.problem).find_family(family)) families.push_back(std::move(*found));
    Software software = jit::current_software(families, is_device_here);
    // A family that is not here differs from any that was measured.
    if (families.empty()) software.families.push_back({std::string(family), {}});
    return software;
}

void print_tune_command(const QueryOptions& options, std::uint64_t n) {
    fmt::print(stderr, "To tune it, on a machine with that GPU:\n  redtune tune {} --size {} --regime {}\n",
               as_options(options.problem), format_size(n), options.regime);
}

/// Prints why there is no answer, what is tuned for the device, and the command that would tune this problem.
void print_refusal(const QueryOptions& options, const Catalog& catalog, const Problem& problem, std::uint64_t n,
                   const std::string& device, const std::string& why) {
    fmt::print(stderr, "Nothing can be answered for {}, n = {}, {}, on \"{}\":\n{}\n", describe(problem),
               format_size(n), options.regime, device, why);
    const std::vector<std::string> tuned = list_tuned(catalog, device);
    if (!tuned.empty()) fmt::print(stderr, "Tuned for it:\n  {}\n", fmt::join(tuned, "\n  "));
    print_tune_command(options, n);
}

/// Prints where an answer comes from that was not tuned for the problem and device, and the command that would tune it.
/// @param has_winner the problem was tuned for the device, but the winner was ruled out
void explain_origin(const QueryOptions& options, const Problem& problem, std::uint64_t n, const Match& match,
                    bool has_winner) {
    if (match.kind <= MatchKind::beyond) return;
    fmt::print(stderr, "{} {}, {}, on \"{}\". ",
               has_winner ? "The options rule out what is tuned for" : "Not tuned:", describe(problem), options.regime,
               match.device);
    if (match.kind == MatchKind::default_rule) {
        fmt::print(stderr, "The answer is a rule of thumb.\n");
    } else {
        fmt::print(stderr, "The answer is that of {}, {}, n = {}, on \"{}\".\n", describe(*match.tuned_problem),
                   to_string(match.tuned_regime), format_size(match.tuned_n), match.tuned_device);
    }
    print_tune_command(options, n);
}

void explain_staleness(const Match& match) {
    if (!match.stale.any()) return;
    fmt::print(stderr,
               "The answer was measured with other software than is here now (differs: {}); `redtune tune` "
               "measures again.\n",
               fmt::join(names_of(match.stale), ", "));
}

/// Prints a line on stderr if the warm regime is asked for but the input is larger than L2. The line says which tuned
/// size the answer comes from.
void explain_warm_input_in_memory(const Problem& problem, std::uint64_t n, const DeviceInfo& device,
                                  const Match& match) {
    const std::uint64_t bytes = bytes_read(problem, n);
    const bool is_warm_winner = match.kind <= MatchKind::beyond && match.tuned_regime == Regime::warm;
    if (!is_warm_winner || device.l2_bytes == 0 || bytes <= device.l2_bytes) return;
    fmt::print(stderr,
               "{}B of input do not fit into the L2 cache of {} ({}B): a call reads them from memory, as with --regime "
               "cold. The answer is the warm winner of n = {}.\n",
               format_size(bytes), match.device, format_size(device.l2_bytes), format_size(match.tuned_n));
}

/// The answer of a look-up, and what it was looked up in.
struct Answer {
    Catalog catalog;
    QueriedDevice device;
    Selector selector;
    std::optional<Match> match;
};

/// @param only_problem CatalogOptions::only_problem
Answer look_up(const QueryOptions& options, const Problem& problem, std::uint64_t n,
               const std::optional<Problem>& only_problem) {
    Catalog catalog = open(options, only_problem);
    QueriedDevice device = choose_queried_device(catalog, options.device);
    SelectOptions select = select_options(options);
    Selector selector = catalog.select(problem, device.info, select);
    std::optional<Match> match = selector.find(n);
    if (match) {
        // The software does not change which match is found, but says whether it is stale.
        select.software = software_for(options, match->family, device.is_here);
        match = catalog.select(problem, device.info, select).find(n);
    }
    return {std::move(catalog), std::move(device), std::move(selector), match};
}

void run(const QueryOptions& options, int& exit_code) {
    const std::uint64_t n = parse_size(options.n);
    const Problem problem = parse_problem(options.problem, n);
    const Regime regime = parse_regime(options.regime);
    Answer answer = look_up(options, problem, n, problem);
    const bool was_tuned = answer.match && answer.match->kind <= MatchKind::beyond;
    if (!was_tuned) answer = look_up(options, problem, n, std::nullopt);
    const auto& [catalog, device, selector, match] = answer;
    if (!match) {
        print_refusal(options, catalog, problem, n, device.info.name, selector.why_not(n));
        exit_code = nothing_found;
        return;
    }
    explain_origin(options, problem, n, *match, catalog.find(problem, n, device.info.name, regime).has_value());
    explain_staleness(*match);
    explain_warm_input_in_memory(problem, n, device.info, *match);
    const std::filesystem::path user = options.file ? std::filesystem::path(*options.file) : db::user_database_path();
    if (options.why) {
        const std::vector<Family> families = load_sources(options.problem).families();
        print_explanations({{problem, n, regime, *match, explain_match(*match, user, families)}}, families,
                           options.format);
        return;
    }
    const auto regret = find_regret(user, db::system_data_folder(), problem, regime, *match);
    print_match(problem, regime, n, *match, regret, options.format);
}

}  // namespace

void add_query_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<QueryOptions>();
    CLI::App* command = app.add_subcommand("query", "The best known configuration for a size, and the time to expect");
    add_problem_options(*command, options->problem, {.determinism = true});
    command->add_option("--n", options->n, "How many elements: 4096, 16Mi, 1Gi")->required();
    command->add_option("--device", options->device,
                        "The device: its name or a part of it (h200), a GPU's number, or replay:NAME (default: the GPU "
                        "of this machine); it need not be tuned");
    command
        ->add_option("--regime", options->regime,
                     "Where the input is: cold (memory), warm (L2 cache) or back_to_back (memory; calls back to back)")
        ->capture_default_str();
    command->add_option("--max-workspace", options->max_workspace,
                        "Largest workspace in bytes: 4096, 64Ki (default: no limit)");
    command->add_flag("--no-pdl", options->no_pdl, "No programmatic dependent launches");
    command->add_flag("--no-forward-progress", options->no_forward_progress,
                      "No configuration in which a block waits for other blocks of its grid");
    std::vector<std::string_view> kinds;
    for (const MatchKind kind : match_kinds()) kinds.push_back(to_string(kind));
    command
        ->add_option("--match", options->kinds,
                     fmt::format("Allowed kinds of match (default: all): {}", fmt::join(kinds, ", ")))
        ->delimiter(',');
    command->add_option("--db", options->file, "Database to read in place of your own, besides the shipped data");
    command->add_flag("--why", options->why, "Why this configuration, as `redtune explain` prints it");
    add_format_option(*command, options->format);
    command->callback([options, &exit_code] { run(*options, exit_code); });
}

}  // namespace redtune::cli
