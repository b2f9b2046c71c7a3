#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/jit/source_set.h"

namespace redtune::cli {

/// The options that say which problem a command is about, as they were given.
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

/// What a command has beside --op, --dtype, --accumulator, --output, --shape and --op-file.
struct ProblemOptionChoice {
    bool determinism = false;  ///< --determinism and --destructive
    bool templates = false;    ///< --template
    bool lists = true;  ///< --dtype f16 f32, --template A B; false for a command with arguments that are no options
};

/// Adds the options to a subcommand.
void add_problem_options(CLI::App& command, ProblemOptions& options, ProblemOptionChoice choice);

/// Returns one problem for each input type.
/// @throws InputError with what is allowed.
std::vector<Problem> parse_problems(const ProblemOptions& options);

/// Returns the problem of a command that takes one, at a size.
/// @throws InputError with what is allowed, also where n elements are not whole rows.
Problem parse_problem(const ProblemOptions& options, std::uint64_t n);

/// Returns the sources that redtune comes with, and those of --template and --op-file.
jit::SourceSet load_sources(const ProblemOptions& options);

/// Returns a problem in words, without what is its default: "sum of f32", "argmin of f16, rows:32", "dot of bf16 in f64
/// to f64".
std::string describe(const Problem& problem);

/// Returns the options as they were given.
std::string as_options(const ProblemOptions& options);

}  // namespace redtune::cli
