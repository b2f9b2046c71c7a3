#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "db/backup.h"
#include "db/inspection.h"
#include "db/journal_mode.h"
#include "db/layer.h"
#include "db/location.h"
#include "db/merged_winners.h"
#include "db/store.h"
#include "redtune/error.h"
#include "redtune/problem.h"
#include "tuner/cli/brief_configuration.h"
#include "tuner/cli/command.h"
#include "tuner/cli/db_diff.h"
#include "tuner/cli/db_export.h"
#include "tuner/cli/db_gc.h"
#include "tuner/cli/db_import.h"
#include "tuner/cli/db_merge.h"
#include "tuner/cli/layers_to_read.h"
#include "tuner/cli/listing_table.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/tuned_device.h"
#include "tuner/core/configuration.h"
#include "tuner/core/nearest_name.h"
#include "tuner/core/operator.h"
#include "tuner/jit/source_set.h"

namespace redtune::cli {

namespace {

constexpr std::uint32_t sweeps_shown = 20;

struct Options {
    std::optional<std::string> file;
    db::WinnerFilter filter;
    std::optional<std::int64_t> id;
    bool failures = false;
    bool repair = false;
    Format format = Format::table;

    std::filesystem::path path() const { return file ? std::filesystem::path(*file) : db::user_database_path(); }
};

/// Returns layers_to_read(). If only shipped data is read, a line on stderr says so.
std::vector<db::Layer> named_layers(const Options& options) {
    std::vector<db::Layer> layers = layers_to_read(options.file);
    if (layers.front().access == db::Access::immutable) {
        note("No database of your own at {} yet (`redtune tune` makes one): this is the shipped data in {}.\n",
             options.path().string(), db::system_data_folder().string());
    }
    return layers;
}

void print_path(const Options& options) {
    Table table({{"layer"}, {"path"}, {"exists"}, {"journal_mode"}, {"size_bytes"}});
    const auto add = [&](const char* layer, const std::filesystem::path& path, db::Access access) {
        std::error_code none;
        if (!std::filesystem::exists(path, none)) {
            table.add(
                {layer, path.string(), false, std::string(db::journal_mode_name(db::journal_mode_for(path))), {}});
            return;
        }
        const bool shipped = access == db::Access::immutable;
        const std::string mode = shipped ? "immutable" : db::Store::open(path, access).journal_mode();
        table.add({layer, path.string(), true, mode, static_cast<std::int64_t>(std::filesystem::file_size(path))});
    };
    add(options.file ? "given" : "user", options.path(), db::Access::read_only);
    if (!options.file) {
        const std::filesystem::path folder = db::system_data_folder();
        for (const auto& path : db::winners_files(folder)) add("shipped", path, db::Access::immutable);
        for (const auto& recording : db::recordings_in(folder)) add("recording", recording.file, db::Access::immutable);
    }
    table.print(std::cout, options.format);
}

void print_stats(const Options& options) {
    using enum Visibility;
    ListingTable table(options.format, {{"layer"},
                                        {"device", if_varied},
                                        {"op"},
                                        {"dtype"},
                                        {"shape", if_varied},
                                        {"accumulator_type", never},
                                        {"output_type", never},
                                        {"regime"},
                                        {"sizes"},
                                        {"smallest_n"},
                                        {"largest_n"},
                                        {"measurements", if_room},
                                        {"failures", if_room},
                                        {"winners", if_room},
                                        {"sweeps", never},
                                        {"last_measured_at", if_room},
                                        {"age_days", if_room}});
    for (const db::Layer& layer : named_layers(options)) table.add(db::list_contents(layer.open()), layer.name);
    if (table.size() == 0) fmt::print(stderr, "There are no measurements; `redtune tune` makes some.\n");
    table.print();
}

/// Adds to the listing a column `configuration`: the family and the parameters that do not have their default value.
void add_brief_configurations(db::Listing& listing) {
    const std::size_t family = listing.column("family");
    const std::size_t parameters = listing.column("parameters");
    const std::vector<Family> families = jit::SourceSet::load().families();
    const auto place = static_cast<std::ptrdiff_t>(parameters) + 1;
    listing.columns.insert(listing.columns.begin() + place, "configuration");
    for (auto& row : listing.rows) {
        const Configuration configuration{std::get<std::string>(row[family]),
                                          parameters_from_json(std::get<std::string>(row[parameters]))};
        row.emplace(row.begin() + place, brief_configuration(configuration, families));
    }
}

/// Returns the filter with the full name of the device that --device names; empty if --device names no device.
/// @throws InputError for a regime or a type that does not exist
std::optional<db::WinnerFilter> resolve_filter(const Options& options, const std::vector<db::Layer>& layers) {
    db::WinnerFilter filter = options.filter;
    if (filter.regime) parse_regime(*filter.regime);
    if (filter.dtype) parse_type(*filter.dtype);
    if (!filter.device) return filter;
    std::vector<std::string> names;
    for (const db::Layer& layer : layers) {
        for (const DeviceInfo& device : layer.open().devices()) names.push_back(device.name);
    }
    filter.device = choose_tuned_device(names, *filter.device);
    return filter.device ? std::optional(filter) : std::nullopt;
}

void print_winners(const Options& options, int& exit_code) {
    using enum Visibility;
    // If an option such as --op selects one value, all rows have it, so the table needs no column for it.
    const auto unless = [](bool is_given) { return is_given ? never : always; };
    // The table has family and parameters in the column `configuration`.
    ListingTable table(options.format, {{"layer"},
                                        {"device", if_varied},
                                        {"op", unless(options.filter.op.has_value())},
                                        {"dtype", unless(options.filter.dtype.has_value())},
                                        {"shape", if_varied},
                                        {"n"},
                                        {"regime", unless(options.filter.regime.has_value())},
                                        {"determinism", if_room},
                                        {"family", never},
                                        {"parameters", never},
                                        {"configuration"},
                                        {"grid", never},
                                        {"block", never},
                                        {"time_us"},
                                        {"gb_per_s", never},
                                        {"share_of_peak", never},
                                        {"units", if_varied_and_room},
                                        {"spread", if_varied_and_room},
                                        {"effort", if_varied_and_room},
                                        {"measurement_id", never}});
    const std::vector<db::Layer> layers = named_layers(options);
    if (const auto filter = resolve_filter(options, layers)) {
        db::Listing winners = db::list_merged_winners(layers, *filter);
        if (options.format == Format::table) add_brief_configurations(winners);
        table.add(winners);
    }
    if (table.size() == 0) {
        const std::string op = options.filter.op.value_or("");
        const bool is_unknown = !op.empty() && find_operator(op) == nullptr;
        fmt::print(stderr, "No winner matches; `redtune db stats` says what there is{}\n",
                   is_unknown ? did_you_mean(op, operator_names()) : ".");
        exit_code = nothing_found;
        return;
    }
    table.print();
}

/// Prints a listing of one row, with a line for each of its columns.
void print_transposed(const db::Listing& listing, Format format) {
    Table table({{"column"}, {"value", 3}});
    for (std::size_t i = 0; i < listing.columns.size(); ++i) {
        const db::Field& field = listing.rows[0][i];
        const auto* whole = std::get_if<std::int64_t>(&field);
        const auto* real = std::get_if<double>(&field);
        // Numbers are added as texts. A column with a number would be right-aligned, but most values of this column are
        // words.
        table.add({listing.columns[i], whole != nullptr  ? Cell(fmt::to_string(*whole))
                                       : real != nullptr ? Cell(fmt::format("{:.6g}", *real))
                                                         : std::visit([](const auto& v) { return Cell(v); }, field)});
    }
    table.print(std::cout, format);
}

/// Prints the measurement with the given id from the first layer that has this id. Names the other files that have
/// another measurement with the same id.
void print_measurement(const Options& options, int& exit_code) {
    std::optional<db::Listing> found;
    for (const db::Layer& layer : named_layers(options)) {
        db::Listing listing = db::list_measurement(layer.open(), *options.id);
        if (listing.rows.empty()) continue;
        if (found) {
            fmt::print(stderr, "The {} layer has another measurement {}: `redtune db show {} --db {}`.\n", layer.name,
                       *options.id, *options.id, layer.file.string());
            continue;
        }
        listing.columns.insert(listing.columns.begin(), "layer");
        listing.rows[0].emplace(listing.rows[0].begin(), std::string(layer.name));
        found = std::move(listing);
    }
    if (!found) {
        fmt::print(stderr, "There is no measurement {}; `redtune db list --wide` shows those that won.\n", *options.id);
        exit_code = nothing_found;
        return;
    }
    if (options.format == Format::table || options.format == Format::md) {
        print_transposed(*found, options.format);
        return;
    }
    ListingTable table(options.format, {});
    table.add(*found);
    table.print();
}

void print_history(const Options& options) {
    using enum Visibility;
    std::vector<ShownColumn> for_people;
    if (options.failures) {
        for_people = {{"layer"},  {"device", if_varied}, {"family"},        {"status"},
                      {"reason"}, {"failures"},          {"measurement_id"}};
    } else {
        // A command has most often more characters than a line.
        for_people = {{"layer"},
                      {"sweep_id"},
                      {"device", if_varied},
                      {"op"},
                      {"dtype"},
                      {"shape", if_varied},
                      {"started_at"},
                      {"status"},
                      {"seconds", if_room},
                      {"measurements", if_room},
                      {"failures", if_room},
                      {"source", if_varied_and_room},
                      {"command", never}};
    }
    ListingTable table(options.format, std::move(for_people));
    for (const db::Layer& layer : named_layers(options)) {
        const db::Store store = layer.open();
        table.add(options.failures ? db::list_failures(store) : db::list_sweeps(store, sweeps_shown), layer.name);
    }
    if (table.size() == 0) note("{}\n", options.failures ? "No candidate failed." : "There are no sweeps.");
    table.print();
}

/// Replaces the winners and the counts of measurements that db::check() finds wrong, in the file of --db; without --db,
/// in the user's file. Copies the file first.
void repair(const Options& options) {
    const std::filesystem::path file = options.path();
    // Opens the file read-only first, because opening it for writing would create a missing file.
    const std::vector<db::Finding> findings = db::check(db::Store::open(file, db::Access::read_only));
    if (std::all_of(findings.begin(), findings.end(), [](const db::Finding& finding) { return finding.sound; })) {
        note("{} is sound: there is nothing to repair.\n", file.string());
        return;
    }
    db::Store store = db::Store::open(file, db::Access::read_write);
    const std::filesystem::path backup = db::back_up_numbered(file, ".bak-repair-");
    const std::int64_t counts = store.repair_measurement_counts();
    const db::RepairedWinners repaired = store.repair_winners();
    fmt::print(
        stderr,
        "{} winners of {} were not sound: {} were replaced by the best measurement of their size, {} were removed. ",
        repaired.removed, file.string(), repaired.replaced, repaired.removed - repaired.replaced);
    if (counts > 0) fmt::print(stderr, "{} counts of measurements were wrong and were replaced. ", counts);
    fmt::print(stderr, "The file as it was is {}.\n", backup.string());
}

void print_check(const Options& options, int& exit_code) {
    if (options.repair) repair(options);
    Table table({{"layer"}, {"check"}, {"sound"}, {"detail"}});
    for (const db::Layer& layer : named_layers(options)) {
        bool is_sound = true;
        bool is_repairable = true;
        for (const db::Finding& finding : db::check(layer.open())) {
            is_sound &= finding.sound;
            is_repairable &= finding.sound || finding.check == "winners" || finding.check == "measurement_counts";
            table.add({std::string(layer.name), finding.check, finding.sound, finding.detail});
        }
        if (is_sound) continue;
        exit_code = failed;
        const bool is_shipped = layer.access == db::Access::immutable;
        fmt::print(stderr, "{} is not sound: {}.\n", layer.file.string(),
                   is_shipped      ? "install redtune again"
                   : is_repairable ? "`redtune db check --repair` replaces what is wrong"
                                   : "restore it from a copy, or save what can be read with `sqlite3 FILE .recover`");
    }
    table.print(std::cout, options.format);
}

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::shared_ptr<Options>& options) {
    CLI::App* command = parent.add_subcommand(name, description);
    command->add_option("--db", options->file,
                        "The only database file to read (default: those that queries read, see `db path`)");
    add_format_option(*command, options->format);
    return command;
}

}  // namespace

void add_db_command(CLI::App& app, int& exit_code) {
    CLI::App* database =
        app.add_subcommand("db", "The databases: where they are, what is in them, whether they are sound");
    database->require_subcommand(1);
    const auto options = std::make_shared<Options>();

    add_command(*database, "path", "The files that are read, with journal mode and size", options)->callback([options] {
        print_path(*options);
    });

    add_command(*database, "stats", "What was measured: devices, sizes, counts, age", options)->callback([options] {
        print_stats(*options);
    });

    CLI::App* list = add_command(*database, "list", "The winners; --wide, json and csv have all columns", options);
    list->add_option("--op", options->filter.op, "Only this operator");
    list->add_option("--dtype", options->filter.dtype, "Only this input type");
    list->add_option("--device", options->filter.device,
                     "Only this device: its name or a part of it (h200), a GPU's number, or replay:NAME");
    list->add_option("--regime", options->filter.regime, "Only this regime: cold, warm or back_to_back");
    list->callback([options, &exit_code] { print_winners(*options, exit_code); });

    CLI::App* show = add_command(
        *database, "show",
        "Everything about one measurement; without ID the latest sweeps, or with --failures the reasons of failures",
        options);
    CLI::Option* id =
        show->add_option("ID", options->id, "A measurement_id, as `db list --wide` and `--failures` show it");
    show->add_flag("--failures", options->failures, "Failures by family, status and reason, the most frequent first")
        ->excludes(id);
    show->callback([options, &exit_code] {
        if (options->id) {
            print_measurement(*options, exit_code);
        } else {
            print_history(*options);
        }
    });

    CLI::App* check =
        add_command(*database, "check", "Whether the files are sound; exit code 1 if one is not", options);
    check->add_flag("--repair", options->repair,
                    "Copy your own file, then replace its winners that cannot have won, and wrong counts");
    check->callback([options, &exit_code] { print_check(*options, exit_code); });

    add_db_merge_command(*database);
    add_db_export_command(*database);
    add_db_import_command(*database, exit_code);
    add_db_diff_command(*database);
    add_db_gc_command(*database);
}

}  // namespace redtune::cli
