#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "db/inspection.h"
#include "db/journal_mode.h"
#include "db/location.h"
#include "db/store.h"
#include "redtune/error.h"
#include "redtune/problem.h"
#include "tuner/cli/command.h"
#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

constexpr std::uint32_t sweeps_shown = 20;

struct Options {
    std::optional<std::string> file;
    db::WinnerFilter filter;
    std::optional<std::int64_t> id;
    bool failures = false;
    Format format = Format::table;

    std::filesystem::path path() const { return file ? std::filesystem::path(*file) : db::user_database_path(); }
};

db::Store open(const Options& options) {
    return db::Store::open(options.path(), db::Access::read_only);
}

/// The file that was asked for; without one, the user's own, or else what is shipped.
std::vector<db::Store> open_or_shipped(const Options& options) {
    std::vector<db::Store> stores;
    const std::filesystem::path user = options.path();
    const std::vector<std::filesystem::path> shipped = db::system_databases();
    std::error_code none;
    if (options.file || std::filesystem::exists(user, none) || shipped.empty()) {
        stores.push_back(open(options));
        return stores;
    }
    fmt::print(stderr,
               "No database of your own at {} yet (`redtune tune` makes one): this is the shipped data in {}.\n",
               user.string(), db::system_data_folder().string());
    for (const auto& file : shipped) stores.push_back(db::Store::open(file, db::Access::immutable));
    return stores;
}

Cell cell(const db::Field& field) {
    return std::visit([](const auto& value) { return Cell(value); }, field);
}

/// Times keep a nanosecond, shares and ratios three places.
Column column(const std::string& name) {
    const bool fine = name.ends_with("_us") || name.starts_with("share") || name.ends_with("ratio");
    return {name, fine ? 3 : 1};
}

/// All rows of listings with the same columns; a person gets the wanted columns only, and sizes as 16Mi.
class ListingTable {
  public:
    ListingTable(Format format, std::vector<std::string> for_people)
        : format_(format), for_people_(std::move(for_people)) {}

    void add(const db::Listing& listing) {
        if (!table_) start(listing.columns);
        for (const auto& row : listing.rows) {
            std::vector<Cell> cells;
            for (const std::size_t i : shown_) cells.push_back(shown_cell(listing.columns[i], row[i]));
            table_->add(std::move(cells));
        }
    }

    std::size_t size() const { return table_->size(); }
    void print() const { table_->print(std::cout, format_); }

  private:
    bool is_for_people() const { return format_ == Format::table || format_ == Format::md; }

    void start(const std::vector<std::string>& names) {
        std::vector<Column> columns;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool wanted = std::find(for_people_.begin(), for_people_.end(), names[i]) != for_people_.end();
            if (is_for_people() && !for_people_.empty() && !wanted) continue;
            columns.push_back(column(names[i]));
            shown_.push_back(i);
        }
        table_.emplace(std::move(columns));
    }

    Cell shown_cell(const std::string& name, const db::Field& field) const {
        const bool is_size = name == "n" || name.ends_with("_n");
        const auto* n = std::get_if<std::int64_t>(&field);
        if (is_for_people() && is_size && n != nullptr) return format_size(static_cast<std::uint64_t>(*n));
        return cell(field);
    }

    Format format_;
    std::vector<std::string> for_people_;
    std::vector<std::size_t> shown_;
    std::optional<Table> table_;
};

void print_path(const Options& options) {
    Table table({{"layer"}, {"path"}, {"exists"}, {"journal_mode"}, {"size_bytes"}});
    const auto add = [&](const char* layer, const std::filesystem::path& path, db::Access access) {
        std::error_code none;
        if (!std::filesystem::exists(path, none)) {
            table.add({layer, path.string(), false, std::string(to_string(db::journal_mode_for(path))), {}});
            return;
        }
        const bool shipped = access == db::Access::immutable;
        table.add({layer, path.string(), true, shipped ? "immutable" : db::Store::open(path, access).journal_mode(),
                   static_cast<std::int64_t>(std::filesystem::file_size(path))});
    };
    add(options.file ? "given" : "user", options.path(), db::Access::read_only);
    if (!options.file) {
        for (const auto& path : db::system_databases()) add("shipped", path, db::Access::immutable);
    }
    table.print(std::cout, options.format);
}

void print_stats(const Options& options) {
    ListingTable table(options.format, {});
    for (const db::Store& store : open_or_shipped(options)) table.add(db::list_contents(store));
    if (table.size() == 0) fmt::print(stderr, "There are no measurements; `redtune tune` makes some.\n");
    table.print();
}

void print_winners(const Options& options, int& exit_code) {
    ListingTable table(options.format,
                       {"device", "op", "dtype", "shape", "n", "regime", "determinism", "family", "parameters", "grid",
                        "block", "time_us", "gb_per_s", "share_of_peak", "measurement_id"});
    if (options.filter.regime) parse_regime(*options.filter.regime);
    for (const db::Store& store : open_or_shipped(options)) table.add(db::list_winners(store, options.filter));
    if (table.size() == 0) {
        fmt::print(stderr, "No winner fits; `redtune db stats` says what there is.\n");
        exit_code = nothing_found;
        return;
    }
    table.print();
}

/// One measurement, a line for each of its columns; as JSON and CSV, one row.
void print_measurement(const Options& options, int& exit_code) {
    const db::Store store = open(options);
    const db::Listing listing = db::list_measurement(store, *options.id);
    if (listing.rows.empty()) {
        fmt::print(stderr, "{} has no measurement {}; `redtune db list` shows those that won.\n", store.file().string(),
                   *options.id);
        exit_code = nothing_found;
        return;
    }
    if (options.format == Format::json || options.format == Format::csv) {
        ListingTable table(options.format, {});
        table.add(listing);
        table.print();
        return;
    }
    Table table({{"column"}, {"value", 3}});
    for (std::size_t i = 0; i < listing.columns.size(); ++i) {
        const Cell value = cell(listing.rows[0][i]);
        const auto* whole = std::get_if<std::int64_t>(&value);
        const auto* real = std::get_if<double>(&value);
        // As text: a column of numbers and words does not line up on the right.
        table.add({listing.columns[i], whole != nullptr  ? Cell(fmt::to_string(*whole))
                                       : real != nullptr ? Cell(fmt::format("{:.6g}", *real))
                                                         : value});
    }
    table.print(std::cout, options.format);
}

void print_history(const Options& options) {
    const db::Store store = open(options);
    if (options.failures) {
        ListingTable table(options.format, {});
        table.add(db::list_failures(store));
        table.print();
        return;
    }
    ListingTable table(options.format, {"sweep_id", "device", "op", "dtype", "shape", "started_at", "seconds", "status",
                                        "source", "measurements", "failures", "command"});
    table.add(db::list_sweeps(store, sweeps_shown));
    table.print();
}

void print_check(const Options& options, int& exit_code) {
    Table table({{"check"}, {"sound"}, {"detail"}});
    for (const db::Finding& finding : db::check(open(options))) {
        if (!finding.sound) exit_code = failed;
        table.add({finding.check, finding.sound, finding.detail});
    }
    table.print(std::cout, options.format);
    if (exit_code != done) {
        fmt::print(stderr,
                   "{} is not sound: restore it from a copy, or save what can be read with `sqlite3 FILE "
                   ".recover`.\n",
                   options.path().string());
    }
}

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::shared_ptr<Options>& options) {
    CLI::App* command = parent.add_subcommand(name, description);
    command->add_option("--db", options->file, "The database file; without it, $REDTUNE_DB or the user's own");
    add_format_option(*command, options->format);
    return command;
}

}  // namespace

void add_db_command(CLI::App& app, int& exit_code) {
    CLI::App* database = app.add_subcommand("db", "The database: where it is, what is in it, whether it is sound");
    database->require_subcommand(1);
    const auto options = std::make_shared<Options>();

    add_command(*database, "path", "The files that are read, with journal mode and size", options)->callback([options] {
        print_path(*options);
    });

    add_command(*database, "stats", "What was measured: devices, sizes, counts, age", options)->callback([options] {
        print_stats(*options);
    });

    CLI::App* list = add_command(*database, "list", "The winners; json and csv have all columns", options);
    list->add_option("--op", options->filter.op, "Of this operator only");
    list->add_option("--dtype", options->filter.dtype, "Of this input type only");
    list->add_option("--device", options->filter.device, "Of the device of this name only");
    list->add_option("--regime", options->filter.regime, "Of this regime only: cold, warm or stream");
    list->callback([options, &exit_code] { print_winners(*options, exit_code); });

    CLI::App* show = add_command(
        *database, "show",
        "Everything about one measurement; without ID, the latest sweeps, or with --failures why candidates failed",
        options);
    CLI::Option* id = show->add_option("ID", options->id, "A measurement_id, as `db list` and `--failures` show it");
    show->add_flag("--failures", options->failures, "Failures by family, status and reason, the most frequent first")
        ->excludes(id);
    show->callback([options, &exit_code] {
        if (options->id) {
            print_measurement(*options, exit_code);
        } else {
            print_history(*options);
        }
    });

    add_command(*database, "check", "Whether the file is sound; exit code 1 where it is not", options)
        ->callback([options, &exit_code] { print_check(*options, exit_code); });
}

}  // namespace redtune::cli
