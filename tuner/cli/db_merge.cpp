#include "tuner/cli/db_merge.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "db/connection.h"
#include "db/merge.h"
#include "tuner/cli/messages.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::cli {

namespace {

struct MergeOptions {
    std::vector<std::string> files;
    std::string output;
    std::string target;
    bool force = false;
};

void merge(const MergeOptions& options) {
    const std::vector<std::filesystem::path> inputs(options.files.begin(), options.files.end());
    const bool is_in_place = !options.target.empty();
    if (is_in_place) {
        db::merge_into(inputs, options.target, search::update_winners);
    } else if (!options.output.empty()) {
        db::merge(inputs, options.output, options.force, search::update_winners);
    } else {
        throw CLI::RequiredError("--output OUT, for a new file, or --db FILE, to add to a database,");
    }
    const std::string& merged = is_in_place ? options.target : options.output;
    const db::Store store = db::Store::open(merged, db::Access::read_only);
    const auto count = [&](std::string_view rows) {
        return store.connection().value(fmt::format("SELECT count(*) FROM {}", rows));
    };
    note("{}: {} sweeps, {} measurements, {} winners, of which {} rest on several GPUs.\n", merged, count("sweep"),
         count("measurement"), count("winner"), count("winner WHERE units > 1"));
}

}  // namespace

void add_db_merge_command(CLI::App& database) {
    const auto options = std::make_shared<MergeOptions>();
    CLI::App* command = database.add_subcommand(
        "merge", "Puts everything of several databases into one, and chooses winners that are good on all GPUs");
    command->add_option("FILE", options->files, "The databases, which are not changed")->required();
    CLI::Option* output = command->add_option("-o,--output", options->output, "The merged database, a new file");
    command->add_option("--db", options->target, "A database to which the others are added, in place of --output")
        ->excludes(output);
    command->add_flag("--force", options->force, "Copy an existing output to OUTPUT.bak-merge-1, then replace it");
    command->callback([options] { merge(*options); });
}

}  // namespace redtune::cli
