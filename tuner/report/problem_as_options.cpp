#include "tuner/report/problem_as_options.h"

#include <fmt/format.h>

#include "tuner/core/operator.h"

namespace redtune::report {

std::string as_options(const Problem& problem) {
    std::string text = fmt::format("--op {} --dtype {}", problem.op, to_string(problem.input));
    const bool is_known = find_operator(problem.op) != nullptr;
    const auto defaults = is_known ? result_types(problem.op, problem.input) : std::vector<ResultTypes>();
    if (!defaults.empty() && defaults.front() != ResultTypes{problem.accumulator, problem.output}) {
        text += fmt::format(" --accumulator {} --output {}", to_string(problem.accumulator), to_string(problem.output));
    }
    if (shape_of(problem).kind() != ShapeKind::whole) text += " --shape " + shape_name(problem);
    text += fmt::format(" --determinism {}", to_string(problem.determinism));
    if (problem.destructive) text += " --destructive";
    return text;
}

}  // namespace redtune::report
