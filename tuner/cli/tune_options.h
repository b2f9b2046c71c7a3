#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuner/cli/problem_options.h"
#include "tuner/cli/table.h"

namespace CLI {
class App;
}

namespace redtune::cli {

/// The options of `redtune tune`.
struct TuneOptions {
    ProblemOptions problem;
    std::vector<std::string> families;
    std::vector<std::string> data;
    std::string effort = "exhaustive";
    std::string strategy;
    double budget_s = 0;  ///< 0: no limit
    std::string sizes = "1Ki..1Gi";
    std::vector<std::string> regimes = {"cold"};
    std::size_t between = 3;
    std::size_t checks = 8;
    std::string device;
    std::string database;
    bool plan_only = false;
    bool resume = true;
    bool look_ups = true;
    std::optional<bool> by_worker;  ///< nullopt: on a GPU, but not in a replay
    bool timing = false;
    int self_test_races = 0;  ///< 0: tune; else test whether times can be trusted
    Format format = Format::table;
    std::string command_line;
};

/// Adds the options to the command `tune`. `options` must outlive it.
void add_tune_options(CLI::App& command, TuneOptions& options);

/// Sets the command line that is stored with a sweep, and what --self-test takes in place of the defaults. To be called
/// when the command line is parsed.
/// @param program the name with which the command line begins
/// @throws InputError if --self-test is given with several regimes or kinds of data
void finish_tune_options(TuneOptions& options, const CLI::App& command, const std::string& program);

}  // namespace redtune::cli
