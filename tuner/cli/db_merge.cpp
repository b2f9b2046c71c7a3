#include "tuner/cli/db_merge.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "db/connection.h"
#include "db/merge.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::cli {

namespace {

struct MergeOptions {
    std::vector<std::string> files;
    std::string output;
    bool force = false;
};

void merge(const MergeOptions& options) {
    const std::vector<std::filesystem::path> inputs(options.files.begin(), options.files.end());
    db::merge(inputs, options.output, options.force, search::update_winners);
    const db::Store store = db::Store::open(options.output, db::Access::read_only);
    const auto count = [&](std::string_view rows) {
        return store.connection().value(fmt::format("SELECT count(*) FROM {}", rows));
    };
    fmt::print(stderr, "{}: {} sweeps, {} measurements, {} winners, of which {} rest on several GPUs.\n",
               options.output, count("sweep"), count("measurement"), count("winner"), count("winner WHERE units > 1"));
}

}  // namespace

void add_db_merge_command(CLI::App& database) {
    const auto options = std::make_shared<MergeOptions>();
    CLI::App* command = database.add_subcommand(
        "merge", "Puts everything of several databases into one, and chooses winners that are good on all GPUs");
    command->add_option("FILE", options->files, "The databases, which are not changed")->required();
    command->add_option("-o,--output", options->output, "The merged database, a new file")->required();
    command->add_flag("--force", options->force, "Copy an existing output to OUTPUT.bak-merge-1, then replace it");
    command->callback([options] { merge(*options); });
}

}  // namespace redtune::cli
