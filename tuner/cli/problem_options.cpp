#include "tuner/cli/problem_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "redtune/error.h"
#include "tuner/jit/operator_file.h"

namespace redtune::cli {

namespace {

std::optional<Type> parse_optional_type(const std::string& name) {
    return name.empty() ? std::nullopt : std::optional(parse_type(name));
}

Problem problem_of(const ProblemOptions& options, const std::string& dtype) {
    const auto accumulator = parse_optional_type(options.accumulator);
    const auto output = parse_optional_type(options.output);
    if (options.op_file.empty()) return make_problem(options.op, parse_type(dtype), accumulator, output);
    if (accumulator || output) {
        throw InputError(
            "--accumulator and --output cannot be used with --op-file: the [types] of the file define them");
    }
    return jit::make_problem(jit::read_operator_file(options.op_file), parse_type(dtype));
}

}  // namespace

void add_problem_options(CLI::App& command, ProblemOptions& options, ProblemOptionChoice choice) {
    CLI::Option* op =
        command.add_option("--op", options.op, "Operator: " + fmt::format("{}", fmt::join(operator_names(), ", ")))
            ->capture_default_str();
    command
        .add_option(
            "--dtype", options.dtypes,
            (choice.lists ? "Input types: " : "Input type: ") + fmt::format("{}", fmt::join(type_names(), ", ")))
        ->delimiter(',')
        ->allow_extra_args(choice.lists)
        ->capture_default_str();
    command.add_option("--accumulator", options.accumulator, "Accumulator type (default: by operator and input type)");
    command.add_option("--output", options.output, "Result type (default: by operator and input type)");
    command
        .add_option("--shape", options.shape,
                    "whole (one result), rows:LENGTH (one for every row), or columns:COUNT (one for every column)")
        ->capture_default_str();
    command.add_option("--op-file", options.op_file, "File with an operator of your own, in place of --op")
        ->excludes(op);
    if (choice.determinism) {
        command.add_option("--determinism", options.determinism, "any, or run_to_run: the same bits at every call")
            ->capture_default_str();
        command.add_flag("--destructive", options.destructive, "Allow configurations that overwrite their input");
    }
    if (choice.templates) {
        command
            .add_option("--template", options.templates,
                        "Files with families of your own, in addition to those of redtune")
            ->delimiter(',')
            ->allow_extra_args(choice.lists);
    }
}

std::vector<Problem> parse_problems(const ProblemOptions& options) {
    std::vector<Problem> problems;
    for (const std::string& dtype : options.dtypes) {
        Problem& problem = problems.emplace_back(problem_of(options, dtype));
        problem = with_shape(problem, parse_shape(options.shape));
        problem.determinism = parse_determinism(options.determinism);
        problem.destructive = options.destructive;
    }
    return problems;
}

Problem parse_problem(const ProblemOptions& options, std::uint64_t n) {
    const std::vector<Problem> problems = parse_problems(options);
    if (problems.size() != 1) {
        throw InputError(fmt::format("this command takes one input type; --dtype has {}", problems.size()));
    }
    const Problem& problem = problems.front();
    const std::uint64_t unit = shape_of(problem).unit();
    if (n % unit != 0) throw InputError(fmt::format("{} elements are not a whole number of rows of {}", n, unit));
    return problem;
}

jit::SourceSet load_sources(const ProblemOptions& options) {
    jit::SourceSet sources = jit::SourceSet::load();
    for (const std::string& file : options.templates) sources.add_template(file);
    if (!options.op_file.empty()) {
        const jit::OperatorFile file = jit::read_operator_file(options.op_file);
        sources.add_operator(file.path, file.text);
    }
    return sources;
}

std::string as_options(const ProblemOptions& options) {
    std::string text = options.op_file.empty() ? "--op " + options.op : "--op-file " + options.op_file;
    text += fmt::format(" --dtype {}", fmt::join(options.dtypes, ","));
    if (!options.accumulator.empty()) text += " --accumulator " + options.accumulator;
    if (!options.output.empty()) text += " --output " + options.output;
    text += fmt::format(" --shape {} --determinism {}", options.shape, options.determinism);
    if (options.destructive) text += " --destructive";
    for (const std::string& file : options.templates) text += " --template " + file;
    return text;
}

}  // namespace redtune::cli
