#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/jit/source_set.h"
#include "tuner/report/describe_problem.h"

namespace redtune::cli {

/// The options that select a problem, as they were typed.
struct ProblemOptions {
    std::string op = "sum";
    std::vector<std::string> dtypes = {"f32"};
    std::string accumulator;
    std::string output;
    std::string shape = "whole";
    std::string determinism = "any";
    bool destructive = false;
    std::string op_file;
    std::vector<std::string> templates;
};

/// Selects what add_problem_options() adds besides --op, --dtype, --accumulator, --output, --shape and --op-file.
struct ProblemOptionChoice {
    bool determinism = false;  ///< adds --determinism and --destructive
    bool templates = false;    ///< adds --template
    /// True: an option takes several words (--dtype f16 f32); false: not possible with positional arguments.
    bool lists = true;
};

/// Adds the options that select a problem to a subcommand.
void add_problem_options(CLI::App& command, ProblemOptions& options, ProblemOptionChoice choice);

/// Returns one problem for each input type.
/// @throws InputError with the allowed values
std::vector<Problem> parse_problems(const ProblemOptions& options);

/// Returns the problem for a command that works on one problem with n elements.
/// @throws InputError with the allowed values, for more than one input type, and if n elements are not whole rows
Problem parse_problem(const ProblemOptions& options, std::uint64_t n);

/// Returns the sources that redtune ships with, and those of --template and --op-file.
jit::SourceSet load_sources(const ProblemOptions& options);

using report::describe;

/// Returns the options as a command line.
std::string as_options(const ProblemOptions& options);

}  // namespace redtune::cli
