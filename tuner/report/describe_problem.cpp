#include "tuner/report/describe_problem.h"

#include <fmt/format.h>

#include <vector>

#include "tuner/core/operator.h"

namespace redtune::report {

std::string describe(const Problem& problem) {
    std::string text = fmt::format("{} of {}", problem.op, to_string(problem.input));
    const bool is_known = find_operator(problem.op) != nullptr;
    const auto defaults = is_known ? result_types(problem.op, problem.input) : std::vector<ResultTypes>();
    if (!defaults.empty() && defaults.front() != ResultTypes{problem.accumulator, problem.output}) {
        text += fmt::format(" in {} to {}", to_string(problem.accumulator), to_string(problem.output));
    }
    if (shape_of(problem).kind() != ShapeKind::whole) text += ", " + shape_name(problem);
    if (problem.determinism != Determinism::any) text += fmt::format(", {}", to_string(problem.determinism));
    if (problem.destructive) text += ", destructive";
    return text;
}

}  // namespace redtune::report
