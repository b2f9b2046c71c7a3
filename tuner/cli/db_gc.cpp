#include "tuner/cli/db_gc.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "db/location.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/tuned_device.h"
#include "tuner/jit/source_set.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::cli {

namespace {

struct GcOptions {
    std::optional<double> older_than_days;
    bool has_other_code = false;
    std::optional<std::string> device;
    bool with_winners = false;
    bool is_dry_run = false;
    std::string file;
};

std::int64_t measured_before(double days) {
    constexpr double most_days = 1e5;  // more would be before 1970
    if (!(days >= 0 && days <= most_days)) {
        throw InputError("--older-than takes a number of days, 0 or more: --older-than 90");
    }
    return static_cast<std::int64_t>(std::time(nullptr)) - std::llround(days * 86400);
}

/// @throws InputError if no option says what to remove, or if no device has the name
db::RemovalRule removal_rule(const GcOptions& options, const db::Store& store) {
    if (!options.older_than_days && !options.has_other_code && !options.device) {
        throw InputError(
            "say what to remove: --older-than DAYS, --other-code, --device NAME, or several of them for what meets "
            "all; with --dry-run the command only counts");
    }
    db::RemovalRule rule;
    if (options.older_than_days) rule.measured_before = measured_before(*options.older_than_days);
    if (options.has_other_code) {
        rule.current_code.emplace();
        for (const Family& family : jit::SourceSet::load().families()) {
            rule.current_code->emplace_back(family.name, family.code_hash);
        }
    }
    if (options.device) {
        std::vector<std::string> names;
        for (const DeviceInfo& device : store.devices()) names.push_back(device.name);
        rule.device = choose_tuned_device(names, *options.device);
        if (!rule.device) throw InputError(fmt::format("there is no device '{}' to remove", *options.device));
    }
    rule.keeps_winners = !options.with_winners;
    return rule;
}

/// Removes what the rule selects. The file has its new size when this returns, because the store is closed then.
db::RemovedRows remove(const db::RemovalRule& rule, const std::filesystem::path& file, bool is_dry_run) {
    db::Store store = db::Store::open(file, db::Access::read_write);
    const db::RemovedRows removed = store.remove_measurements(rule, search::update_winner, !is_dry_run);
    if (!is_dry_run && removed.measurements > 0) store.shrink();
    return removed;
}

void collect_garbage(const GcOptions& options) {
    const std::filesystem::path file =
        options.file.empty() ? db::user_database_path() : std::filesystem::path(options.file);
    // Opening for writing would create a missing file.
    const db::RemovalRule rule = removal_rule(options, db::Store::open(file, db::Access::read_only));
    const auto before = std::filesystem::file_size(file);
    const db::RemovedRows removed = remove(rule, file, options.is_dry_run);
    note("{}: {} measurements, {} sweeps and {} winners {}.", file.string(), removed.measurements, removed.sweeps,
         removed.winners, options.is_dry_run ? "would be removed; nothing was" : "were removed");
    if (!options.is_dry_run) {
        constexpr double mib = 1 << 20;
        note(" The file had {:.1f} MiB and has {:.1f} MiB.", static_cast<double>(before) / mib,
             static_cast<double>(std::filesystem::file_size(file)) / mib);
    }
    note("\n");
}

}  // namespace

void add_db_gc_command(CLI::App& database) {
    const auto options = std::make_shared<GcOptions>();
    CLI::App* command = database.add_subcommand(
        "gc", "Removes old measurements, those of other code or of a device, and what only they need");
    command->add_option("--older-than", options->older_than_days, "Only what was measured more than so many days ago");
    command->add_flag("--other-code", options->has_other_code,
                      "Only measurements of redtune's families with other code than this redtune's");
    command->add_option("--device", options->device, "Only this device: its name or a part of it (h200)");
    command->add_flag("--with-winners", options->with_winners,
                      "Also the winners, the finalists they were compared with and the checks of look-ups");
    command->add_flag("--dry-run", options->is_dry_run, "Say what would be removed, and remove nothing");
    command->add_option("--db", options->file, "The database (default: your own)");
    command->callback([options] { collect_garbage(*options); });
}

}  // namespace redtune::cli
