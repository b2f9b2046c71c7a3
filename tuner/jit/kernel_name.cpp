#include "tuner/jit/kernel_name.h"

#include <fmt/format.h>

#include "redtune/error.h"

namespace redtune::jit {

std::string device_type(Type type) {
    switch (type) {
        case Type::i32:
            return "int";
        case Type::f32:
            return "float";
    }
    throw InputError("this type has no name in device code");
}

std::string device_problem(const Problem& problem) {
    std::string op = problem.op;
    op[0] = static_cast<char>(op[0] - 'a' + 'A');
    const std::string types = fmt::format("{}, {}, {}", device_type(problem.input), device_type(problem.accumulator),
                                          device_type(problem.output));
    return fmt::format("redtune::Problem<redtune::{}<{}>, {}>", op, types, types);
}

KernelName kernel_name(const Family& family, const Problem& problem, const Candidate& candidate, KernelRole role) {
    std::string reduced = device_problem(problem);
    if (role == KernelRole::combine_partials) {
        return {"kernels_src/finish.cuh", fmt::format("redtune::combine_partials<{}, {}>", reduced, combine_block)};
    }
    if (role == KernelRole::repeat) reduced = fmt::format("redtune::PartialsOf<{}>", reduced);
    const char* separator = candidate.instantiation.empty() ? "" : ", ";
    return {family.path, fmt::format("redtune::{}<{}{}{}>", family.name, reduced, separator, candidate.instantiation)};
}

}  // namespace redtune::jit
