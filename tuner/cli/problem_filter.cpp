#include "tuner/cli/problem_filter.h"

#include <optional>
#include <set>

#include "tuner/jit/operator_file.h"

namespace redtune::cli {

ProblemOptions unset_problem_options() {
    ProblemOptions options;
    options.op.clear();
    options.dtypes.clear();
    options.shape.clear();
    return options;
}

std::function<bool(const Problem&)> parse_problem_filter(const ProblemOptions& options) {
    std::string op = options.op;
    if (!options.op_file.empty()) op = jit::read_operator_file(options.op_file).info.name;
    std::set<Type> inputs;
    for (const std::string& name : options.dtypes) inputs.insert(parse_type(name));
    if (options.op_file.empty() && !op.empty()) result_types(op, Type::f32);
    const auto parse = [](const std::string& name) {
        return name.empty() ? std::nullopt : std::optional(parse_type(name));
    };
    const auto shape = options.shape.empty() ? std::nullopt : std::optional(parse_shape(options.shape));
    return [op, inputs, shape, accumulator = parse(options.accumulator),
            output = parse(options.output)](const Problem& problem) {
        return (op.empty() || problem.op == op) && (inputs.empty() || inputs.contains(problem.input)) &&
               (!accumulator || problem.accumulator == *accumulator) && (!output || problem.output == *output) &&
               (!shape || shape_of(problem) == *shape);
    };
}

}  // namespace redtune::cli
