#include "tuner/cli/db_import.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include "db/import.h"
#include "db/location.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/messages.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::cli {

namespace {

/// The number of rejected lines that are named.
constexpr std::size_t most_named = 20;

struct ImportOptions {
    std::string input;
    std::string file;
};

db::ReadExport read_input(const std::string& input) {
    if (input == "-") return db::read_export(std::cin, most_named);
    std::ifstream in(input, std::ios::binary);
    if (!in || std::filesystem::is_directory(input)) {
        throw Error(fmt::format("{} cannot be read ({}); name a file that `redtune db export` wrote, or - for stdin",
                                input, in ? "it is a folder" : std::strerror(errno)));
    }
    return db::read_export(in, most_named);
}

void print_rejected(const std::string& input, const db::ReadExport& exported) {
    for (const db::RejectedLine& line : exported.rejected) {
        fmt::print(stderr, "{}:{}: {}\n", input == "-" ? "stdin" : input, line.number, line.reason);
    }
    if (exported.rejected_count > exported.rejected.size()) {
        fmt::print(stderr, "... and {} further lines\n", exported.rejected_count - exported.rejected.size());
    }
    fmt::print(stderr,
               "Nothing was imported, because {} lines are wrong. Correct them, or export the database again.\n",
               exported.rejected_count);
}

void import_file(const ImportOptions& options, int& exit_code) {
    const db::ReadExport exported = read_input(options.input);
    if (exported.rejected_count > 0) {
        print_rejected(options.input, exported);
        exit_code = failed;
        return;
    }
    const std::filesystem::path file =
        options.file.empty() ? db::user_database_path() : std::filesystem::path(options.file);
    db::Store store = db::Store::open(file, db::Access::read_write);
    const auto count = [&](const char* table) {
        return store.connection().value(fmt::format("SELECT count(*) FROM {}", table));
    };
    const std::int64_t sweeps_before = count("sweep");
    const std::int64_t measurements_before = count("measurement");
    store.add_rows(exported.rows, search::update_winners);
    note("{}: {} sweeps ({} new), {} measurements ({} new), {} winners.\n", file.string(), count("sweep"),
         count("sweep") - sweeps_before, count("measurement"), count("measurement") - measurements_before,
         count("winner"));
}

}  // namespace

void add_db_import_command(CLI::App& database, int& exit_code) {
    const auto options = std::make_shared<ImportOptions>();
    CLI::App* command = database.add_subcommand(
        "import", "Adds a file of `db export` to a database; if any line is wrong, names it and adds nothing");
    command->add_option("FILE", options->input, "The file to read; - is stdin")->required();
    command->add_option("--db", options->file,
                        "The database, which is created if it does not exist (default: your own)");
    command->callback([options, &exit_code] { import_file(*options, exit_code); });
}

}  // namespace redtune::cli
