#include "tuner/core/expression_names.h"

#include <algorithm>

#include "tuner/core/operator.h"

namespace redtune {

namespace {

using Context = ExpressionContext;

constexpr std::uint32_t warp_size = 32;

std::uint64_t accumulator_is_input(const Context& context) {
    const Problem& problem = context.problem;
    return problem.accumulator == problem.input && accumulator_bytes(problem) == size_of(problem.input);
}

constexpr ExpressionName names_table[] = {
    {"n", [](const Context& c) -> std::uint64_t { return c.n; }},
    {"row_length", [](const Context& c) -> std::uint64_t { return extents_of(c.problem, c.n).reduced; }},
    {"rows", [](const Context& c) -> std::uint64_t { return result_count(c.problem, c.n); }},
    {"columns", [](const Context& c) -> std::uint64_t { return extents_of(c.problem, c.n).inner; }},
    {"input_bytes", [](const Context& c) -> std::uint64_t { return size_of(c.problem.input); }},
    {"accumulator_bytes", [](const Context& c) -> std::uint64_t { return accumulator_bytes(c.problem); }},
    {"output_bytes", [](const Context& c) -> std::uint64_t { return size_of(c.problem.output); }},
    {"arrays", [](const Context& c) -> std::uint64_t { return c.problem.arrays; }},
    {"exact", [](const Context& c) -> std::uint64_t { return rounding_of(c.problem) == Rounding::none; }},
    {"accumulator_is_input", accumulator_is_input},
    {"adds", [](const Context& c) -> std::uint64_t { return adds(c.problem); }},
    {"back_to_back", [](const Context& c) -> std::uint64_t { return c.regime == Regime::back_to_back; }},
    {"sm_count", [](const Context& c) -> std::uint64_t { return c.device.sm_count; }},
    {"l2_bytes", [](const Context& c) -> std::uint64_t { return c.device.l2_bytes; }},
    {"warp_size", [](const Context&) -> std::uint64_t { return warp_size; }},
    {"max_threads_per_sm", [](const Context& c) -> std::uint64_t { return c.device.max_threads_per_sm; }},
    {"max_shared_per_block", [](const Context& c) -> std::uint64_t { return c.device.max_shared_bytes_per_block; }},
    {"compute_capability", [](const Context& c) -> std::uint64_t {
         return static_cast<std::uint64_t>(c.device.compute_major) * 10 +
                static_cast<std::uint64_t>(c.device.compute_minor);
     }}};

}  // namespace

std::span<const ExpressionName> expression_names() noexcept {
    return names_table;
}

bool is_expression_name(std::string_view name) noexcept {
    return std::any_of(std::begin(names_table), std::end(names_table),
                       [&](const ExpressionName& each) { return each.name == name; });
}

}  // namespace redtune
