#include "compare/cub_subject.h"

#include <fmt/format.h>

#include "compare/cub_reduce.h"

namespace redtune::compare {

timing::Subject cub_subject(const Problem& problem, std::uint64_t n, const std::string& determinism) {
    const auto call = [op = problem.op, dtype = std::string(to_string(problem.input)), determinism,
                       row_length = problem.row_length] {
        return CubCall{op, dtype, determinism, row_length};
    };
    const std::size_t workspace_bytes = cub_workspace_bytes(call(), n);
    timing::Subject subject;
    subject.is_judged = false;
    subject.plan.workspace_bytes = workspace_bytes;
    subject.enqueue = [call, workspace_bytes, n](std::uint32_t, const timing::CallBuffers& buffers, CUstream stream) {
        cub_reduce(call(), reinterpret_cast<void*>(buffers.workspace), workspace_bytes,
                   reinterpret_cast<const void*>(buffers.input.first), reinterpret_cast<void*>(buffers.output), n,
                   stream, reinterpret_cast<const void*>(buffers.input.second));
    };
    return subject;
}

std::vector<AccuracyMethod> cub_accuracy_methods(const Problem& problem, std::uint64_t n) {
    std::vector<AccuracyMethod> methods;
    if (problem.op != "sum" && problem.op != "dot") return methods;
    for (const std::string_view determinism : cub_determinisms({problem.op, to_string(problem.input), "", 0})) {
        methods.push_back({fmt::format("CUB {}", determinism), "cub::DeviceReduce", problem.input,
                           cub_subject(problem, n, std::string(determinism))});
    }
    return methods;
}

}  // namespace redtune::compare
