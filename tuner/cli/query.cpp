#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/problem_options.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/device.h"
#include "tuner/report/problem_as_options.h"

namespace redtune::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    ProblemOptions problem;
    std::string n;
    std::optional<std::string> device;
    std::string regime = "cold";
    std::optional<std::string> file;
    Format format = Format::table;
};

Catalog open(const Options& options) {
    CatalogOptions from;
    if (options.file) {
        if (!std::filesystem::exists(*options.file)) {
            throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", *options.file));
        }
        from.user_database = *options.file;
    }
    return Catalog::open(from);
}

std::string quoted(const std::vector<std::string>& names) {
    std::vector<std::string> each;
    for (const std::string& name : names) each.push_back('"' + name + '"');
    return fmt::format("{}", fmt::join(each, ", "));
}

/// The device that is meant where none is named.
std::string default_device(const Catalog& catalog) {
    const std::vector<gpu::Device> here = gpu::list_devices();
    if (!here.empty()) return here.front().info.name;
    const std::vector<std::string> known = catalog.devices();
    if (known.size() == 1) {
        fmt::print(stderr, "No GPU here: this is for the one device that there is data of, {}.\n", known.front());
        return known.front();
    }
    if (known.empty()) {
        throw InputError(
            "there is no GPU here and no tuned device to ask for; run `redtune tune` on a machine with a "
            "GPU, or give --db FILE");
    }
    throw InputError(fmt::format("there is no GPU here; say which device is meant: --device one of {}", quoted(known)));
}

/// What there is instead, for a look-up that found nothing.
std::string what_there_is(const Catalog& catalog, const std::string& device) {
    const std::vector<std::string> known = catalog.devices();
    if (known.empty()) return "No device has been tuned; `redtune tune` does that.";
    if (std::find(known.begin(), known.end(), device) == known.end()) {
        return fmt::format("Tuned devices: {}.", quoted(known));
    }
    std::vector<std::string> tuned;
    for (const Problem& problem : catalog.problems(device)) {
        for (const Regime regime : {Regime::cold, Regime::warm, Regime::back_to_back}) {
            const auto sizes = catalog.tuned_sizes(problem, device, regime);
            if (sizes.empty()) continue;
            tuned.push_back(fmt::format("{} --regime {} (n = {} to {})", report::as_options(problem), to_string(regime),
                                        format_size(sizes.front()), format_size(sizes.back())));
        }
    }
    return fmt::format("Tuned for it: {}.", fmt::join(tuned, "; "));
}

Json parameters_of(const Match& match) {
    Json parameters = Json::object();
    for (const Parameter& parameter : match.parameters) {
        std::visit([&](const auto& value) { parameters[parameter.name] = value; }, parameter.value);
    }
    return parameters;
}

/// The keys and their order are what programs rely on; more may follow, none may go.
Json describe_match(const Problem& problem, Regime regime, std::uint64_t n, const Match& match) {
    const Launch& first = match.plan.steps[0];
    return {{"device", match.device},
            {"op", problem.op},
            {"dtype", to_string(problem.input)},
            {"n", n},
            {"regime", to_string(regime)},
            {"family", match.family},
            {"parameters", parameters_of(match)},
            {"grid", first.grid},
            {"block", first.block},
            {"shared_bytes", first.shared_bytes},
            {"match", to_string(match.kind)},
            {"expected_us", match.expected_us},
            {"gb_per_s", match.gb_per_s},
            {"measured_at", match.measured_at},
            {"determinism", to_string(problem.determinism)},
            {"deterministic", match.deterministic},
            {"tuned_n", match.tuned_n},
            {"launches", match.plan.count},
            {"workspace_bytes", match.plan.workspace_bytes},
            {"shape", shape_name(problem)},
            {"tuned_row_length", match.row_length},
            {"accumulator", to_string(problem.accumulator)},
            {"output", to_string(problem.output)}};
}

/// A value of describe_match() for people.
std::string readable(const std::string& key, const Json& value) {
    if (key == "n" || key == "tuned_n") return format_size(value.get<std::uint64_t>());
    if (key == "parameters") {
        std::vector<std::string> list;
        for (const auto& [name, held] : value.items()) list.push_back(name + "=" + readable(name, held));
        return fmt::format("{}", fmt::join(list, ", "));
    }
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    return value.dump();
}

Cell exact(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_number()) return value.get<std::int64_t>();
    return value.dump();
}

void print(const Json& description, Format format) {
    if (format == Format::json) {
        std::cout << description.dump(2) << '\n';
        return;
    }
    if (format == Format::csv) {
        std::vector<Column> columns;
        std::vector<Cell> row;
        for (const auto& [key, value] : description.items()) {
            columns.push_back({key});
            row.push_back(exact(value));
        }
        Table table(std::move(columns));
        table.add(std::move(row));
        table.print(std::cout, format);
        return;
    }
    Table table({{"property"}, {"value"}});
    for (const auto& [key, value] : description.items()) table.add({key, readable(key, value)});
    table.print(std::cout, format);
}

void run(const Options& options, int& exit_code) {
    const std::uint64_t n = parse_size(options.n);
    const Problem problem = parse_problem(options.problem, n);
    const Regime regime = parse_regime(options.regime);
    const Catalog catalog = open(options);
    const std::string device = options.device ? *options.device : default_device(catalog);
    const std::optional<Match> match = catalog.find(problem, n, device, regime);
    if (!match) {
        fmt::print(stderr, "Nothing is known for {}, n = {}, {}, on \"{}\". {}\n", describe(problem), format_size(n),
                   options.regime, device, what_there_is(catalog, device));
        exit_code = nothing_found;
        return;
    }
    print(describe_match(problem, regime, n, *match), options.format);
}

}  // namespace

void add_query_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("query", "The best known configuration for a size, and the time to expect");
    add_problem_options(*command, options->problem, {.determinism = true});
    command->add_option("--n", options->n, "How many elements: 4096, 16Mi, 1Gi")->required();
    command->add_option("--device", options->device,
                        "The device's name, as in \"NVIDIA H200\"; without it, the GPU of this machine");
    command
        ->add_option("--regime", options->regime,
                     "Where the input is: cold (memory), warm (L2 cache) or stream (memory; calls back to back)")
        ->capture_default_str();
    command->add_option("--db", options->file, "A database to read in place of the user's own, over the shipped data");
    add_format_option(*command, options->format);
    command->callback([options, &exit_code] { run(*options, exit_code); });
}

}  // namespace redtune::cli
