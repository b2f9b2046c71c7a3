#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "db/layer.h"
#include "db/location.h"
#include "db/store.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/tuned_device.h"
#include "tuner/cli/tuned_list.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {

namespace {

using Json = nlohmann::ordered_json;

struct QueryOptions {
    ProblemOptions problem;
    std::string n;
    std::optional<std::string> device;
    std::string regime = "cold";
    std::optional<std::string> file;
    Format format = Format::table;
};

Catalog open(const QueryOptions& options) {
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

/// Returns the device for a query without --device: the first GPU of this machine, else the only tuned device.
/// @throws InputError if there is no GPU and not exactly one tuned device
std::string default_device(const Catalog& catalog) {
    const std::vector<gpu::Device> here = gpu::list_devices();
    if (!here.empty()) return here.front().info.name;
    const std::vector<std::string> known = catalog.devices();
    if (known.size() == 1) {
        fmt::print(stderr, "No GPU here: the answer is for {}, the only tuned device.\n", known.front());
        return known.front();
    }
    if (known.empty()) {
        throw InputError(
            "there is no GPU here and no device has been tuned; run `redtune tune` on a machine with a "
            "GPU, or give --db FILE");
    }
    throw InputError(fmt::format("there is no GPU here; name a device with --device: {}", quoted(known)));
}

/// Prints that nothing was found, what is tuned for the device, and the command that would tune this problem.
void print_miss(const QueryOptions& options, const Catalog& catalog, const Problem& problem, std::uint64_t n,
                const std::string& device) {
    fmt::print(stderr, "Nothing is known for {}, n = {}, {}, on \"{}\".", describe(problem), format_size(n),
               options.regime, device);
    const std::vector<std::string> tuned = list_tuned(catalog, device);
    if (tuned.empty()) {
        const std::vector<std::string> known = catalog.devices();
        fmt::print(stderr, "{}\n",
                   known.empty() ? " No device has been tuned." : fmt::format(" Tuned devices: {}.", quoted(known)));
    } else {
        fmt::print(stderr, " Tuned for it:\n");
        for (const std::string& line : tuned) fmt::print(stderr, "  {}\n", line);
    }
    fmt::print(stderr, "To tune it, on a machine with that GPU:\n  redtune tune {} --size {} --regime {}\n",
               as_options(options.problem), format_size(n), options.regime);
}

std::optional<DeviceInfo> find_device_info(const QueryOptions& options, const std::string& name) {
    const auto find_in = [&](const std::filesystem::path& path, db::Access access) -> std::optional<DeviceInfo> {
        if (std::error_code none; !std::filesystem::exists(path, none)) return std::nullopt;
        for (DeviceInfo& device : db::Store::open(path, access).devices()) {
            if (device.name == name) return std::move(device);
        }
        return std::nullopt;
    };
    const std::filesystem::path user = options.file ? std::filesystem::path(*options.file) : db::user_database_path();
    if (auto device = find_in(user, db::Access::read_only)) return device;
    for (const std::filesystem::path& path : db::winners_files(db::system_data_folder())) {
        if (auto device = find_in(path, db::Access::immutable)) return device;
    }
    return std::nullopt;
}

/// Prints a line on stderr if the warm regime is asked for but the input is larger than L2. The line says which tuned
/// size the answer comes from.
void explain_warm_input_in_memory(const QueryOptions& options, const Problem& problem, std::uint64_t n,
                                  const Match& match) {
    const std::optional<DeviceInfo> device = find_device_info(options, std::string(match.device));
    const std::uint64_t bytes = bytes_read(problem, n);
    if (!device || device->l2_bytes == 0 || bytes <= device->l2_bytes) return;
    fmt::print(stderr,
               "{}B of input do not fit into the L2 cache of {} ({}B): a call reads them from memory, as with --regime "
               "cold. The answer is the warm winner of n = {}.\n",
               format_size(bytes), match.device, format_size(device->l2_bytes), format_size(match.tuned_n));
}

Json parameters_of(const Match& match) {
    Json parameters = Json::object();
    for (const Parameter& parameter : match.parameters) {
        std::visit([&](const auto& value) { parameters[parameter.name] = value; }, parameter.value);
    }
    return parameters;
}

/// Returns the measured regret of look-ups between the tuned sizes, from the user's database or else from the shipped
/// one.
std::optional<db::MeasuredRegret> find_regret(const QueryOptions& options, const Problem& problem, Regime regime,
                                              const Match& match) {
    Problem as_tuned = problem;
    as_tuned.row_length = match.row_length;
    const std::filesystem::path user = options.file ? std::filesystem::path(*options.file) : db::user_database_path();
    for (const db::Layer& layer : db::layers(user, db::system_data_folder())) {
        if (const auto regret = layer.open().regret(match.device, as_tuned, regime)) return regret;
    }
    return std::nullopt;
}

/// Returns the kinds of data on which the match was compared, each with the match's time over the best time; null if
/// they are unknown.
Json data_of(const Match& match) {
    Json data = Json::object();
    for (const DataRatio& each : match.data) data[each.data] = each.ratio ? Json(*each.ratio) : Json();
    return data;
}

/// Returns the answer as a JSON object. Programs rely on the keys and their order: new keys go to the end, and none may
/// be removed.
Json describe_match(const Problem& problem, Regime regime, std::uint64_t n, const Match& match,
                    const std::optional<db::MeasuredRegret>& regret) {
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
            {"output", to_string(problem.output)},
            {"regret", regret ? Json(regret->median) : Json()},
            {"largest_regret", regret ? Json(regret->largest) : Json()},
            {"regret_sizes", regret ? Json(regret->sizes) : Json()},
            {"units", match.units},
            {"spread", match.spread > 0 ? Json(match.spread) : Json()},
            {"data", data_of(match)}};
}

/// Returns a value of describe_match() as text for a table: sizes like 16Mi, booleans as yes and no, numbers rounded.
std::string readable(const std::string& key, const Json& value) {
    if (key == "n" || key == "tuned_n") return format_size(value.get<std::uint64_t>());
    if (key == "data") {
        std::vector<std::string> list;
        for (const auto& [name, ratio] : value.items()) {
            list.push_back(ratio.is_null() ? name
                                           : fmt::format("{} ({:.3f} times the best)", name, ratio.get<double>()));
        }
        return fmt::format("{}", fmt::join(list, ", "));
    }
    if (key == "parameters") {
        std::vector<std::string> list;
        for (const auto& [name, held] : value.items()) list.push_back(name + "=" + readable(name, held));
        return fmt::format("{}", fmt::join(list, ", "));
    }
    if (value.is_null()) return "";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    if (value.is_null()) return "not measured";
    return value.dump();
}

Cell full_precision(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_number()) return value.get<std::int64_t>();
    if (value.is_null()) return std::string();
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
            row.push_back(full_precision(value));
        }
        Table table(std::move(columns));
        table.add(std::move(row));
        table.print(std::cout, format);
        return;
    }
    Table table({{"property"}, {"value"}});
    for (const auto& [key, value] : description.items()) {
        if (!value.is_null()) table.add({key, readable(key, value)});
    }
    table.print(std::cout, format);
}

void run(const QueryOptions& options, int& exit_code) {
    const std::uint64_t n = parse_size(options.n);
    const Problem problem = parse_problem(options.problem, n);
    const Regime regime = parse_regime(options.regime);
    const Catalog catalog = open(options);
    const std::optional<std::string> device =
        options.device ? choose_tuned_device(catalog.devices(), *options.device) : default_device(catalog);
    const std::optional<Match> match = device ? catalog.find(problem, n, *device, regime) : std::nullopt;
    if (!match) {
        if (device) print_miss(options, catalog, problem, n, *device);
        exit_code = nothing_found;
        return;
    }
    if (regime == Regime::warm) explain_warm_input_in_memory(options, problem, n, *match);
    // A look-up of a tuned size has no regret.
    const auto regret =
        match->kind == MatchKind::between ? find_regret(options, problem, regime, *match) : std::nullopt;
    print(describe_match(problem, regime, n, *match, regret), options.format);
}

}  // namespace

void add_query_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<QueryOptions>();
    CLI::App* command = app.add_subcommand("query", "The best known configuration for a size, and the time to expect");
    add_problem_options(*command, options->problem, {.determinism = true});
    command->add_option("--n", options->n, "How many elements: 4096, 16Mi, 1Gi")->required();
    command->add_option("--device", options->device,
                        "The device: its name or a part of it (h200), a GPU's number, or replay:NAME (default: the GPU "
                        "of this machine)");
    command
        ->add_option("--regime", options->regime,
                     "Where the input is: cold (memory), warm (L2 cache) or back_to_back (memory; calls back to back)")
        ->capture_default_str();
    command->add_option("--db", options->file, "Database to read in place of your own, besides the shipped data");
    add_format_option(*command, options->format);
    command->callback([options, &exit_code] { run(*options, exit_code); });
}

}  // namespace redtune::cli
