#pragma once

#include <functional>

#include "tuner/cli/table.h"

namespace CLI {
class App;
}

namespace redtune::report {
class LadderBench;
}

namespace redtune::cli {

/// Exit codes of the program.
enum ExitCode : int {
    done = 0,
    failed = 1,
    usage = 2,
    no_device = 3,
    nothing_found = 4,
    failed_candidates = 5,
    interrupted = 130
};

/// Each adds one subcommand to the program. A subcommand's callback sets `exit_code` where it is not
/// `done`, and throws redtune::Error for what went wrong: main has the one catch.
void add_bench_command(CLI::App& app, int& exit_code);
void add_db_command(CLI::App& app, int& exit_code);
void add_devices_command(CLI::App& app, int& exit_code);
void add_doctor_command(CLI::App& app, int& exit_code);
void add_families_command(CLI::App& app, int& exit_code);
/// `bench` takes the times; null: a GPU of this machine.
void add_ladder_command(CLI::App& app, int& exit_code, report::LadderBench* bench = nullptr);
void add_query_command(CLI::App& app, int& exit_code);
void add_tune_command(CLI::App& app, int& exit_code);

/// What main does: parses, then works; reports what is thrown on stderr under the program's name.
/// @return what `work` returned, or the exit code of what was thrown
int run_program(CLI::App& app, int argc, char** argv, const std::function<int()>& work);

/// Adds `--format table|json|csv|md` and `--wide` to a subcommand.
void add_format_option(CLI::App& command, Format& format);

}  // namespace redtune::cli
