#include "tuner/launch/kernel_name.h"

#include <fmt/format.h>

#include "tuner/core/operator.h"
#include "tuner/launch/instantiation.h"

namespace redtune::launch {

std::string device_type(Type type) {
    switch (type) {
        case Type::f16:
            return "redtune::Half";
        case Type::bf16:
            return "redtune::BFloat16";
        case Type::f32:
            return "float";
        case Type::f64:
            return "double";
        default:
            return fmt::format("redtune::{}", to_string(type));
    }
}

std::string device_accumulator(const Problem& problem) {
    std::string value = device_type(problem.accumulator);
    const Operator* op = find_operator(problem.op);
    switch (op != nullptr ? op->combined : Combined::value) {
        case Combined::value:
            return value;
        case Combined::ordered_value:
            return is_float(problem.input) && size_of(problem.input) == 2 ? "redtune::HalfKey" : value;
        case Combined::value_and_index:
            return fmt::format("redtune::Indexed<{}>", value);
    }
    return value;
}

std::string device_problem(const Problem& problem) {
    const std::string types =
        fmt::format("{}, {}, {}", device_type(problem.input), device_accumulator(problem), device_type(problem.output));
    return fmt::format("redtune::Problem<redtune::{}<{}>, {}>", device_name_of_operator(problem.op), types, types);
}

jit::KernelName kernel_name(const Family& family, const Problem& problem, const KernelRequest& request,
                            KernelRole role) {
    std::string reduced = device_problem(problem);
    std::string included_first;
    if (request.count == CountPlace::device_memory) {
        reduced = fmt::format("redtune::CountedOnDevice<{}>", reduced);
        included_first = "kernels_src/device_count.cuh";
    }
    if (role == KernelRole::combine_partials) {
        return {"kernels_src/finish.cuh",
                fmt::format("redtune::combine_partials<{}, {}>", reduced, combine_block(*request.rule)),
                included_first};
    }
    if (role == KernelRole::repeat) reduced = fmt::format("redtune::PartialsOf<{}>", reduced);
    const std::string instantiation = instantiation_of(family, request.parameters);
    const char* separator = instantiation.empty() ? "" : ", ";
    return {family.path, fmt::format("redtune::{}<{}{}{}>", family.kernel, reduced, separator, instantiation),
            included_first};
}

}  // namespace redtune::launch
