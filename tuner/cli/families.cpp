#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "db/space.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/compile_families.h"
#include "tuner/cli/device_choice.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/terminal.h"
#include "tuner/cli/why_no_candidates.h"
#include "tuner/cli/wrap.h"
#include "tuner/core/size_list.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/instantiation.h"

namespace redtune::cli {

namespace {

struct FamiliesOptions {
    std::string name;
    ProblemOptions problem;
    std::string size;
    std::string device;
    bool compile = false;
    std::string architecture;
    Format format = Format::table;
};

struct Counts {
    std::size_t candidates = 0;
    std::size_t compiles = 0;
    std::string why_none;  ///< why there are no candidates; empty if there are some
};

Counts count(const Family& family, const DeviceInfo& device, const Problem& problem, std::uint64_t n) {
    std::set<std::string> instantiations;
    const std::vector<Candidate> candidates = db::candidates(family, device, problem, n);
    for (const Candidate& candidate : candidates) {
        instantiations.insert(launch::instantiation_of(family, candidate.configuration.parameters));
    }
    return {candidates.size(), instantiations.size(),
            candidates.empty() ? why_no_candidates(family, device, problem, n) : ""};
}

std::vector<std::string> texts(const std::vector<Value>& values) {
    std::vector<std::string> result;
    for (const Value& value : values) result.push_back(to_string(value));
    return result;
}

nlohmann::ordered_json as_json(const Family& family, const Counts& counts) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
    for (const ParameterValues& parameter : family.parameters) {
        nlohmann::ordered_json values = nlohmann::ordered_json::array();
        for (const Value& value : parameter.values) {
            std::visit([&](const auto& held) { values.push_back(held); }, value);
        }
        parameters[parameter.name] = {{"kind", parameter.compile ? "compile" : "launch"}, {"values", values}};
    }
    return {{"family", family.name},       {"summary", family.summary},         {"origin", family.origin},
            {"shapes", family.shapes},     {"destructive", family.destructive}, {"candidates", counts.candidates},
            {"compiles", counts.compiles}, {"parameters", parameters},          {"why_none", counts.why_none}};
}

/// Prints everything about one family, a line for each fact.
void print_one(const Family& family, const Counts& counts) {
    const auto print = [columns = table_columns(STDOUT_FILENO)](const std::string& label, const std::string& text) {
        fmt::print("{}\n", wrap_after_label(label, text, columns));
    };
    fmt::print("{}\n", family.name);
    print("  ", family.summary);
    print("  origin      ", family.origin);
    print("  shapes      ", fmt::format("{}", fmt::join(family.shapes, ", ")));
    fmt::print("  candidates  {}\n  compiles    {}\n", counts.candidates, counts.compiles);
    if (!counts.why_none.empty()) print("  none here   ", counts.why_none);
    if (family.destructive) fmt::print("  overwrites its input: a candidate only where --destructive allows it\n");
    for (const ParameterValues& parameter : family.parameters) {
        print(fmt::format("  {:<8} {:<14} ", parameter.compile ? "compile" : "launch", parameter.name),
              fmt::format("{}", fmt::join(texts(parameter.values), " ")));
    }
    for (const Expression& derived : family.derived) {
        print(fmt::format("  {:<8} {:<14} ", "derived", derived.name), derived.sql);
    }
    for (const Expression& where : family.where) print(fmt::format("  {:<8} ", "where"), where.sql);
}

/// Returns the size to count candidates for: --n, else the largest number of whole rows in 16Mi elements.
std::uint64_t chosen_size(const FamiliesOptions& options) {
    if (!options.size.empty()) return parse_size(options.size);
    constexpr std::uint64_t usual = 16 << 20;
    const std::uint64_t unit = parse_shape(options.problem.shape).unit();
    return std::max<std::uint64_t>(usual / unit, 1) * unit;
}

/// Returns the family that NAME names; without NAME all families, or with --compile the families of --template.
/// @throws InputError for an unknown NAME, or if --compile has neither
std::vector<Family> chosen_families(const FamiliesOptions& options, const std::vector<Family>& all) {
    if (!options.name.empty()) return {jit::find_family(all, options.name)};
    if (!options.compile) return all;
    std::vector<Family> own;
    for (const Family& family : all) {
        const std::vector<std::string>& files = options.problem.templates;
        if (std::find(files.begin(), files.end(), family.path) != files.end()) own.push_back(family);
    }
    if (own.empty())
        throw InputError("--compile needs families to compile: `redtune families NAME`, or --template FILE");
    return own;
}

void print_families(const std::vector<Family>& families, const FamiliesOptions& options, const DeviceInfo& device,
                    const Problem& problem, std::uint64_t n) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    constexpr Visibility never = Visibility::never;
    Table table(
        {{"family"}, {"candidates"}, {"compiles"}, {"parameters", 0, never}, {"summary"}, {"why_none", 0, never}});
    for (const Family& family : families) {
        const Counts counts = count(family, device, problem, n);
        if (options.format == Format::json) {
            json.push_back(as_json(family, counts));
            continue;
        }
        if (options.format == Format::table && !options.name.empty()) {
            print_one(family, counts);
            continue;
        }
        std::vector<std::string> parameters;
        for (const ParameterValues& parameter : family.parameters) {
            parameters.push_back(fmt::format("{}={}", parameter.name, fmt::join(texts(parameter.values), "|")));
        }
        const std::string brief = counts.candidates == 0 ? "none: " + counts.why_none : family.summary;
        table.add({family.name, static_cast<std::int64_t>(counts.candidates),
                   static_cast<std::int64_t>(counts.compiles), fmt::format("{}", fmt::join(parameters, " ")),
                   Abbreviated{family.summary, brief}, counts.why_none.empty() ? Cell() : Cell(counts.why_none)});
    }
    if (options.format == Format::json) {
        fmt::print("{}\n", json.dump(2));
    } else if (table.size() != 0) {
        table.print(std::cout, options.format);
    }
}

int run(const FamiliesOptions& options) {
    if (!options.architecture.empty() && !options.compile) throw InputError("--architecture is for --compile only");
    const std::uint64_t n = chosen_size(options);
    const Problem problem = parse_problem(options.problem, n);
    const DeviceInfo device = with_architecture(device_for_planning(options.device), options.architecture);
    const jit::SourceSet sources = load_sources(options.problem);
    const std::vector<Family> families = chosen_families(options, sources.families());
    note("Candidates for {}, n = {}, on {}\n", describe(problem), format_size(n), device.name);
    if (options.compile) return compile_families(families, sources, device, problem, n, options.format);
    print_families(families, options, device, problem, n);
    return done;
}

}  // namespace

void add_families_command(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<FamiliesOptions>();
    CLI::App* command = app.add_subcommand(
        "families", "Kernel families: their parameters, candidates and distinct compiles for a device and a size");
    command->add_option("name", options->name, "Show everything about this family");
    // --dtype and --template take no lists separated by spaces here: such a list would swallow NAME.
    add_problem_options(*command, options->problem, {.determinism = true, .templates = true, .lists = false});
    command->add_option("--n", options->size, "Size in elements (default: 16Mi, in whole rows)");
    command->add_option("--device", options->device,
                        "GPU by number or part of its name, or replay:NAME (default: the first GPU, else the recorded "
                        "one)");
    command->add_flag(
        "--compile", options->compile,
        "Compile the kernels of NAME or --template with NVRTC, no GPU needed: registers and spills of each");
    command->add_option("--architecture", options->architecture,
                        "Architecture to compile for: sm_90 (default: the device's)");
    add_format_option(*command, options->format);
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace redtune::cli
