#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tuner/cli/table.h"

namespace CLI {
class App;
}

namespace redtune::report {
class LadderBench;
}

namespace redtune::cli {

/// The exit codes of the program.
enum ExitCode : int {
    done = 0,
    failed = 1,
    usage = 2,
    no_device = 3,
    nothing_found = 4,
    failed_candidates = 5,
    drifted = 5,  ///< `verify` finished, and some winners drifted
    interrupted = 130
};

/// A function that returns why this machine has no usable GPU, or an empty text if it has one. Tests pass a function in
/// place of gpu::why_no_device().
using WhyNoDevice = std::string (*)();

/// Each function adds one subcommand to the program. The subcommand's callback sets `exit_code` if it is not `done`,
/// and throws a redtune::Error, which run_program() reports, if something goes wrong.
///
/// A null `why_no_device` stands for gpu::why_no_device().
void add_bench_command(CLI::App& app, int& exit_code, WhyNoDevice why_no_device = nullptr);
void add_cache_command(CLI::App& app, int& exit_code);
/// Adds the command `completion`, which prints a script for all commands of `app`.
void add_completion_command(CLI::App& app);
void add_db_command(CLI::App& app, int& exit_code);
void add_devices_command(CLI::App& app, int& exit_code);
void add_doctor_command(CLI::App& app, int& exit_code);
void add_emit_command(CLI::App& app, int& exit_code);
/// `find_gpu` returns the ordinal of a GPU of this machine with this name, or -1. A null function asks the driver.
void add_explain_command(CLI::App& app, int& exit_code, int (*find_gpu)(std::string_view name) = nullptr);
void add_families_command(CLI::App& app, int& exit_code);
/// `bench` measures the times. If it is null, they are measured on a GPU of this machine.
void add_ladder_command(CLI::App& app, int& exit_code, report::LadderBench* bench = nullptr);
void add_plot_command(CLI::App& app, int& exit_code);
void add_query_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_simulate_command(CLI::App& app, int& exit_code);
void add_tune_command(CLI::App& app, int& exit_code);
void add_verify_command(CLI::App& app, int& exit_code);
void add_warm_command(CLI::App& app, int& exit_code);
/// Adds the hidden command `man`, which prints a manual page of all commands of `app`. The build installs it.
void add_man_command(CLI::App& app);
/// Adds the hidden command `launch`, which `ladder --counters`, `explain --counters` and `tune --self-test` start under
/// a profiler.
void add_launch_command(CLI::App& app);
/// Adds the hidden command `worker`, which `tune` and `verify` start as a process of its own.
void add_worker_command(CLI::App& app);

/// Parses the command line, then calls `work`. Prints the message of an exception on stderr, after the program's name.
/// @return the result of `work`, or the exit code that belongs to the exception
int run_program(CLI::App& app, int argc, char** argv, const std::function<int()>& work);

/// Adds `--format table|json|csv|md` and `--wide` to a subcommand.
void add_format_option(CLI::App& command, Format& format);

}  // namespace redtune::cli
