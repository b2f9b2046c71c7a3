#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/jit/source_set.h"

namespace redtune::cli {

/// What a command is about, as options name it.
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

/// Which options a command has beside --op, --dtype, --accumulator, --output, --shape and --op-file.
struct ProblemOptionChoice {
    bool determinism = false;
    bool templates = false;
};

void add_problem_options(CLI::App& command, ProblemOptions& options, ProblemOptionChoice choice);

/// One problem for each input type.
/// @throws InputError with what is allowed.
std::vector<Problem> parse_problems(const ProblemOptions& options);

/// The problem of a command that takes one, at a size.
/// @throws InputError with what is allowed, also where n elements are not whole rows.
Problem parse_problem(const ProblemOptions& options, std::uint64_t n);

/// The sources redtune comes with, and the user's own.
jit::SourceSet load_sources(const ProblemOptions& options);

/// "sum of f32", "argmin of f16, rows:32", "dot of bf16 in f64 to f64": what is not default is said.
std::string describe(const Problem& problem);

/// The options as they were given.
std::string as_options(const ProblemOptions& options);

}  // namespace redtune::cli
