#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "redtune/error.h"
#include "tuner/cli/architecture.h"
#include "tuner/cli/cache_layers.h"
#include "tuner/cli/cache_list.h"
#include "tuner/cli/cache_upkeep.h"
#include "tuner/cli/command.h"

namespace redtune::cli {

namespace {

struct CacheOptions {
    std::string folder;
    std::vector<std::string> architectures;
    std::optional<double> older_than_days;
    bool repair = false;
    Format format = Format::table;
};

std::set<std::string> architectures_of(const CacheOptions& options) {
    std::set<std::string> names;
    for (const std::string& text : options.architectures) names.insert(architecture_name(parse_architecture(text)));
    return names;
}

int clear(const CacheOptions& options) {
    ClearFilter filter{architectures_of(options), std::nullopt};
    if (options.older_than_days) {
        constexpr double most_days = 1e5;  // more would overflow the clock
        if (!(*options.older_than_days >= 0 && *options.older_than_days <= most_days)) {
            throw InputError("--older-than takes a number of days, 0 or more: --older-than 30");
        }
        filter.unused_for = std::chrono::hours(std::lround(*options.older_than_days * 24));
    }
    return clear_cache(cache_layers(options.folder).front(), filter, options.format);
}

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::shared_ptr<CacheOptions>& options) {
    CLI::App* command = parent.add_subcommand(name, description);
    command->add_option("--folder", options->folder,
                        "The only folder, such as one that `redtune warm --folder` filled (default: yours and the "
                        "system's)");
    add_format_option(*command, options->format);
    return command;
}

void add_architectures(CLI::App& command, CacheOptions& options) {
    command.add_option("--arch", options.architectures, "Only these architectures: sm_80, sm_90")->delimiter(',');
}

}  // namespace

void add_cache_command(CLI::App& app, int& exit_code) {
    CLI::App* cache =
        app.add_subcommand("cache", "The compiled kernels: where they are, what is there, whether it is sound");
    cache->require_subcommand(1);
    const auto options = std::make_shared<CacheOptions>();

    add_command(*cache, "stats", "The folders, with their entries, bytes and cap", options)->callback([options] {
        print_cache_stats(cache_layers(options->folder), options->format);
    });

    CLI::App* list = add_command(*cache, "list", "The kernels, those used last first", options);
    add_architectures(*list, *options);
    list->callback([options, &exit_code] {
        exit_code = print_cached_kernels(cache_layers(options->folder), architectures_of(*options), options->format);
    });

    CLI::App* clear_command =
        add_command(*cache, "clear", "Remove the entries of your own folder; the system's folder stays", options);
    add_architectures(*clear_command, *options);
    clear_command->add_option("--older-than", options->older_than_days,
                              "Only entries that were not used for this number of days");
    clear_command->callback([options, &exit_code] { exit_code = clear(*options); });

    CLI::App* verify = add_command(
        *cache, "verify", "Whether all entries are whole and may be executed; exit code 1 if one is not", options);
    verify->add_flag("--repair", options->repair, "Remove the others from your own folder");
    verify->callback([options, &exit_code] {
        exit_code = verify_cache(cache_layers(options->folder), options->repair, options->format);
    });
}

}  // namespace redtune::cli
