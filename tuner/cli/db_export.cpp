#include "tuner/cli/db_export.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "db/export.h"
#include "db/location.h"
#include "db/store.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/write_file.h"

namespace redtune::cli {

namespace {

struct ExportOptions {
    std::string file;
    std::string output = "-";
};

void export_database(const ExportOptions& options) {
    const std::filesystem::path file =
        options.file.empty() ? db::user_database_path() : std::filesystem::path(options.file);
    const db::Store store = db::Store::open(file, db::Access::read_only);
    std::uint64_t rows = 0;
    if (options.output == "-") {
        rows = db::export_rows(store.connection(), std::cout);
    } else {
        write_file(options.output, [&](std::ostream& out) { rows = db::export_rows(store.connection(), out); });
    }
    note("{}: {} rows were exported.\n", file.string(), rows);
}

}  // namespace

void add_db_export_command(CLI::App& database) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command = database.add_subcommand("export", "Writes a database as JSON Lines, which `db import` reads");
    command->add_option("--db", options->file, "The database (default: your own)");
    command->add_option("-o,--output", options->output, "The file to write or replace; - is stdout")
        ->capture_default_str();
    command->callback([options] { export_database(*options); });
}

}  // namespace redtune::cli
