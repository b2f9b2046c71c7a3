#include "tuner/runtime/c_structs.h"

#include <optional>

#include "redtune/reducer.h"

namespace redtune::runtime {

Problem problem_of(const redtune_problem& given) {
    if (given.dtype == nullptr) throw InputError("redtune_problem.dtype is NULL; give a type such as \"f32\"");
    const Type input = parse_type(given.dtype);
    Problem problem;
    if (given.operator_file != nullptr) {
        problem = Reducer::problem_of(given.operator_file, input);
    } else if (given.operator_source != nullptr) {
        problem = Reducer::problem_of_source(given.operator_source, input);
    } else {
        if (given.op == nullptr) throw InputError("redtune_problem.op is NULL; give an operator such as \"sum\"");
        const auto type = [](const char* name) { return name == nullptr ? std::optional<Type>() : parse_type(name); };
        problem = make_problem(given.op, input, type(given.accumulator), type(given.output));
    }
    problem = with_shape(problem, {given.row_length, given.columns});
    if (given.run_to_run != 0) problem.determinism = Determinism::run_to_run;
    return problem;
}

}  // namespace redtune::runtime
