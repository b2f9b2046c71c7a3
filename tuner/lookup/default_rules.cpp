#include "tuner/lookup/default_rules.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "tuner/core/built_in_families.h"
#include "tuner/lookup/adapt.h"

namespace redtune::lookup {

namespace {

/// A rule of thumb. Parameters that it does not name have their default value.
struct DefaultRule {
    std::string_view family;
    std::string_view parameters;  ///< "block=128 unroll=4"
    std::uint64_t most_bytes;     ///< the rule is preferred up to so many bytes of input; 0: for all larger inputs
};

// The winners on the devices that were tuned have these shapes (README, docs/results): one block for what a block reads
// in one round trip to memory, then one tile for each block, then a loop with few blocks for each SM. Loads have 16
// bytes, of which each thread keeps 2 to 8 in flight. The finish is `publish`; where blocks may not wait for others, it
// is `ticket`. Both need one launch. The rules after the first gap-free set serve narrow limits: little shared memory,
// no slots in the workspace, few SMs, two input arrays. Where a rule is a candidate, the family's own conditions
// decide. The rules with `publish` lose the least of their family, in geometric mean over eight problems that were
// screened at odd sizes (docs/lookup.md).
constexpr DefaultRule rules_for_arrays[] = {
    {"single_block", "block=128 unroll=4 vector_bytes=16", 8 << 10},
    {"single_block", "block=128 unroll=1 vector_bytes=16", 8 << 10},
    {"single_block", "block=512 unroll=4 vector_bytes=16", 32 << 10},
    {"tile_per_block", "block=128 unroll=2 vector_bytes=16 finish=publish", 8 << 20},
    {"tile_per_block", "block=128 unroll=4 vector_bytes=16 finish=ticket", 8 << 20},
    {"grid_stride_wide", "block=512 unroll=4 vector_bytes=16 finish=publish path=read_only blocks_per_sm=1", 0},
    {"grid_stride_wide", "block=512 unroll=8 vector_bytes=16 finish=ticket blocks_per_sm=2", 0},
    {"grid_stride_wide", "block=256 unroll=4 vector_bytes=16 finish=ticket blocks_per_sm=4", 0},
    {"grid_stride_wide", "block=256 unroll=4 vector_bytes=16 finish=ticket blocks_per_sm=2", 0},
    {"grid_stride_wide", "block=128 unroll=1 vector_bytes=16 finish=ticket blocks_per_sm=1", 0},
    {"grid_stride_wide", "block=128 unroll=8 vector_bytes=16 finish=ticket blocks_per_sm=1", 0},
    {"single_block", "block=512 unroll=8 vector_bytes=16", 0},
    {"single_block", "block=256 unroll=8 vector_bytes=16", 0},
    {"single_block", "block=32 unroll=1 vector_bytes=16", 0},
    {"grid_stride_wide", "block=128 unroll=8 vector_bytes=16 finish=ticket blocks_per_sm=0.5", 0},
    {"grid_stride_wide", "block=512 unroll=8 vector_bytes=16 finish=atomic blocks_per_sm=2", 0},
    {"grid_stride_wide", "block=256 unroll=4 vector_bytes=16 finish=atomic blocks_per_sm=2", 0},
    {"grid_stride_wide", "block=128 unroll=1 vector_bytes=16 finish=atomic blocks_per_sm=1", 0},
    {"tile_per_block", "block=128 unroll=4 vector_bytes=16 finish=atomic", 0},
};

// Several blocks for each of a few long rows, then as many threads for a row as have at least half a load each.
constexpr DefaultRule rules_for_rows[] = {
    {"rows_split", "block=256 unroll=4 vector_bytes=16 blocks_per_row=64", 0},
    {"rows_split", "block=256 unroll=4 vector_bytes=16 blocks_per_row=16", 0},
    {"rows_split", "block=256 unroll=4 vector_bytes=16 blocks_per_row=4", 0},
    {"rows_wide", "block=512 threads_per_row=512 unroll=4 vector_bytes=16", 0},
    {"rows_wide", "block=256 threads_per_row=256 unroll=4 vector_bytes=16", 0},
    {"rows_wide", "block=128 threads_per_row=128 unroll=4 vector_bytes=16", 0},
    {"rows_wide", "block=256 threads_per_row=32 unroll=4 vector_bytes=16", 0},
    {"rows_wide", "block=256 threads_per_row=32 unroll=1 vector_bytes=16", 0},
    {"rows_wide", "block=256 threads_per_row=16 unroll=1 vector_bytes=16", 0},
    {"rows_wide", "block=256 threads_per_row=8 unroll=1 vector_bytes=16", 0},
    {"rows_wide", "block=256 threads_per_row=4 unroll=1 vector_bytes=16", 0},
    {"rows_wide", "block=256 threads_per_row=2 unroll=1 vector_bytes=16", 0},
    {"rows_wide", "block=256 threads_per_row=1 unroll=1 vector_bytes=16", 0},
    {"rows_wide", "block=128 threads_per_row=2 unroll=1 vector_bytes=16", 0},
};

// Narrow matrices as flat arrays, and strips of others, with as many blocks as are resident at once; then, for smaller
// matrices, few blocks, and one block for each strip.
constexpr DefaultRule rules_for_columns[] = {
    {"columns_flat", "block=256 unroll=4 vector_bytes=16 blocks_per_sm=4", 0},
    {"columns_strip", "block=256 threads_per_row=32 unroll=4 vector_bytes=16 blocks_per_sm=4", 0},
    {"columns_strip", "block=256 threads_per_row=32 unroll=4 vector_bytes=8 blocks_per_sm=4", 0},
    {"columns_strip", "block=256 threads_per_row=32 unroll=4 vector_bytes=4 blocks_per_sm=4", 0},
    {"columns_flat", "block=128 unroll=4 vector_bytes=16 blocks_per_sm=1", 0},
    {"columns_flat", "block=128 unroll=4 vector_bytes=8 blocks_per_sm=1", 0},
    {"columns_strip", "block=256 threads_per_row=32 unroll=4 vector_bytes=16 blocks_per_sm=1", 0},
    {"columns_strip", "block=256 threads_per_row=32 unroll=4 vector_bytes=8 blocks_per_sm=1", 0},
    {"columns_strip", "block=256 threads_per_row=32 unroll=4 vector_bytes=4 blocks_per_sm=1", 0},
    {"columns_flat", "block=128 unroll=1 vector_bytes=16 blocks_per_sm=0.125", 0},
    {"columns_flat", "block=128 unroll=1 vector_bytes=8 blocks_per_sm=0.125", 0},
    {"columns_strip", "block=128 threads_per_row=32 unroll=1 vector_bytes=16 blocks_per_sm=0.25", 0},
    {"columns_strip", "block=128 threads_per_row=32 unroll=1 vector_bytes=4 blocks_per_sm=0.25", 0},
    {"columns_flat", "block=128 unroll=1 vector_bytes=16 blocks_per_sm=0", 0},
    {"columns_flat", "block=128 unroll=1 vector_bytes=8 blocks_per_sm=0", 0},
    {"columns_strip", "block=256 threads_per_row=32 unroll=1 vector_bytes=16 blocks_per_sm=0", 0},
    {"columns_strip", "block=128 threads_per_row=8 unroll=1 vector_bytes=16 blocks_per_sm=0", 0},
    {"columns_strip", "block=128 threads_per_row=8 unroll=1 vector_bytes=8 blocks_per_sm=0", 0},
    {"columns_strip", "block=128 threads_per_row=8 unroll=1 vector_bytes=4 blocks_per_sm=0", 0},
    {"columns_strip", "block=128 threads_per_row=8 unroll=1 vector_bytes=4 blocks_per_sm=1", 0},
    {"columns_strip", "block=128 threads_per_row=8 unroll=1 vector_bytes=8 blocks_per_sm=1", 0},
};

/// Returns the rules for a shape, best first.
std::span<const DefaultRule> rules_for(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::whole:
            return rules_for_arrays;
        case ShapeKind::rows:
            return rules_for_rows;
        case ShapeKind::columns:
            return rules_for_columns;
    }
    return {};
}

/// Returns the value that a rule gives a parameter, in the type that the family's file gives it; null if the rule does
/// not name the parameter.
const Value* value_in(const DefaultRule& rule, const ParameterValues& parameter) {
    const std::string name = parameter.name + "=";
    const std::string padded = " " + std::string(rule.parameters) + " ";
    for (const Value& value : parameter.values) {
        if (padded.find(" " + name + to_string(value) + " ") != std::string::npos) return &value;
    }
    return nullptr;
}

Configuration configuration_of(const DefaultRule& rule, const Family& family) {
    Configuration made{family.name, {}};
    for (const ParameterValues& parameter : family.parameters) {
        const Value* value = value_in(rule, parameter);
        if (value == nullptr) value = parameter.default_value ? &*parameter.default_value : &parameter.values.front();
        made.parameters.push_back({parameter.name, *value});
    }
    return made;
}

/// Returns the bytes of n elements of one array as a number of elements: the largest n with so many bytes.
std::uint64_t elements_of(std::uint64_t bytes, const Problem& problem) {
    return bytes == 0 ? std::numeric_limits<std::uint64_t>::max() : bytes / size_of(problem.input);
}

}  // namespace

std::vector<TunedSize> default_configurations(const Problem& problem, const DeviceInfo& device, Regime regime,
                                              LeftOut& left_out) {
    const std::span<const DefaultRule> rules = rules_for(shape_of(problem).kind());
    Adapter adapter(problem, device, regime);
    std::vector<TunedSize> preferred;
    std::vector<TunedSize> others;  // the rules beyond the sizes that they are preferred for
    for (const DefaultRule& rule : rules) {
        const Family* family = find_built_in_family(rule.family);
        TunedSize made;
        made.configuration = configuration_of(rule, *family);
        const std::optional<Adapted>& adapted = adapter.adapt(*family, made.configuration, 1);
        if (!adapted) {
            ++left_out[needs_newer_device(*family, device) ? Obstacle::architecture : Obstacle::no_candidate];
            continue;
        }
        made.rule = adapted->trial.rule;
        made.deterministic = adapted->trial.deterministic;
        made.candidate_for = adapted->candidate_for;
        const std::uint64_t most = elements_of(rule.most_bytes, problem);
        if (most < made.candidate_for.most) others.push_back(made);
        made.candidate_for.most = std::min(made.candidate_for.most, most);
        if (made.candidate_for.least <= made.candidate_for.most) preferred.push_back(std::move(made));
    }
    std::move(others.begin(), others.end(), std::back_inserter(preferred));
    return preferred;
}

}  // namespace redtune::lookup
