#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "db/space.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_choice.h"
#include "tuner/cli/problem_options.h"
#include "tuner/core/size_list.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/instantiation.h"

namespace redtune::cli {

namespace {

struct Options {
    std::string name;
    ProblemOptions problem;
    std::string size = "16Mi";
    std::string device;
    Format format = Format::table;
};

struct Counts {
    std::size_t candidates = 0;
    std::size_t compiles = 0;
};

Counts count(const Family& family, const DeviceInfo& device, const Problem& problem, std::uint64_t n) {
    std::set<std::string> instantiations;
    const std::vector<Candidate> candidates = db::candidates(family, device, problem, n);
    for (const Candidate& candidate : candidates) {
        instantiations.insert(launch::instantiation_of(family, candidate.configuration.parameters));
    }
    return {candidates.size(), instantiations.size()};
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
            {"compiles", counts.compiles}, {"parameters", parameters}};
}

void print_one(const Family& family, const Counts& counts) {
    fmt::print("{}\n  {}\n  origin      {}\n  shapes      {}\n  candidates  {}\n  compiles    {}\n", family.name,
               family.summary, family.origin, fmt::join(family.shapes, ", "), counts.candidates, counts.compiles);
    if (family.destructive) fmt::print("  overwrites its input: a candidate only where --destructive allows it\n");
    for (const ParameterValues& parameter : family.parameters) {
        fmt::print("  {:<8} {:<14} {}\n", parameter.compile ? "compile" : "launch", parameter.name,
                   fmt::join(texts(parameter.values), " "));
    }
    for (const Expression& derived : family.derived)
        fmt::print("  {:<8} {:<14} {}\n", "derived", derived.name, derived.sql);
    for (const Expression& where : family.where) fmt::print("  {:<8} {}\n", "where", where.sql);
}

void run(const Options& options) {
    const std::uint64_t n = parse_size(options.size);
    const Problem problem = parse_problem(options.problem, n);
    const DeviceInfo device = device_for_planning(options.device);
    const std::vector<Family> all = load_sources(options.problem).families();
    std::vector<Family> families = all;
    if (!options.name.empty()) families = {jit::find_family(all, options.name)};
    fmt::print(stderr, "Candidates for {}, n = {}, on {}\n", describe(problem), format_size(n), device.name);

    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    Table table({{"family"}, {"candidates"}, {"compiles"}, {"parameters"}, {"summary"}});
    for (const Family& family : families) {
        const Counts counts = count(family, device, problem, n);
        if (options.format == Format::json) {
            json.push_back(as_json(family, counts));
        } else if (options.format == Format::table && !options.name.empty()) {
            print_one(family, counts);
        } else {
            std::vector<std::string> parameters;
            for (const ParameterValues& parameter : family.parameters) {
                parameters.push_back(fmt::format("{}={}", parameter.name, fmt::join(texts(parameter.values), "|")));
            }
            table.add({family.name, static_cast<std::int64_t>(counts.candidates),
                       static_cast<std::int64_t>(counts.compiles), fmt::format("{}", fmt::join(parameters, " ")),
                       family.summary});
        }
    }
    if (options.format == Format::json) {
        fmt::print("{}\n", json.dump(2));
    } else if (table.size() != 0) {
        table.print(std::cout, options.format);
    }
}

}  // namespace

void add_families_command(CLI::App& app, int&) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "families", "Kernel families: their parameters, candidates and distinct compiles for a device and a size");
    command->add_option("name", options->name, "One family, in full");
    add_problem_options(*command, options->problem, {.determinism = true, .templates = true});
    command->add_option("--n", options->size, "Size in elements")->capture_default_str();
    command->add_option("--device", options->device,
                        "GPU by number, or replay:NAME (default: the first GPU, else the recorded one)");
    add_format_option(*command, options->format);
    command->callback([options] { run(*options); });
}

}  // namespace redtune::cli
