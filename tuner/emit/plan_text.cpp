#include "tuner/emit/plan_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "redtune/size.h"

namespace redtune::emit {

namespace {

/// Returns the largest grid that a rule allows, for the member most_blocks of the emitted rule; 0: one block per tile.
std::uint64_t most_blocks_of(const LaunchRule& rule) {
    switch (rule.grid) {
        case GridRule::one:
            return 1;
        case GridRule::blocks:
            return std::max(1U, rule.blocks);
        case GridRule::blocks_per_sm:
            if (rule.blocks_per_sm <= 0) return 0;
            return static_cast<std::uint64_t>(std::max(1.0, std::round(rule.blocks_per_sm * rule.sm_count)));
        case GridRule::tiles:
        case GridRule::rows:
        case GridRule::columns:
            break;
    }
    return 0;
}

std::string as_line(const EmittedConfiguration& configuration) {
    const LaunchRule& rule = configuration.rule;
    const auto at_least_1 = [](auto value) { return std::max<std::uint64_t>(1, value); };
    const bool has_columns = rule.grid == GridRule::columns;
    const std::uint32_t results_per_block = has_columns ? rule.columns_per_block : rule.rows_per_block;
    const std::uint32_t blocks_per_result = has_columns ? rule.parts : rule.blocks_per_row;
    const bool has_rows = has_columns || rule.grid == GridRule::rows;
    const auto kernel = [&](KernelRole role) { return configuration.kernels.at(static_cast<std::size_t>(role)); };
    return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}},  /* {} */",
                       at_least_1(rule.tile), most_blocks_of(rule), has_rows ? at_least_1(results_per_block) : 0,
                       has_rows ? at_least_1(blocks_per_result) : 1, rule.block, at_least_1(rule.cluster),
                       rule.shared_bytes, rule.slot_bytes, int{rule.slots_zeroed}, int{rule.pdl}, combine_block(rule),
                       int{rule.combine_pdl}, kernel(KernelRole::first), kernel(KernelRole::repeat),
                       kernel(KernelRole::combine_partials), configuration.text);
}

/// Returns the intervals as initialisers, several in a line.
std::string interval_lines(const std::vector<SizeInterval>& intervals) {
    constexpr std::size_t longest_line = 112;
    std::string lines;
    std::string line;
    for (const SizeInterval& interval : intervals) {
        const std::string each = fmt::format("{{{}u, {}}},", interval.last_n, interval.configuration);
        if (!line.empty() && line.size() + each.size() > longest_line) {
            lines += "    " + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + each;
    }
    return lines + "    " + line + "\n";
}

/// Returns, in words, the n that the code cannot reduce; empty if it can reduce any n.
std::string impossible_n(const Emission& emission) {
    const std::uint64_t unit = shape_of(emission.request.problem).unit();
    const std::string part = unit == 1 ? "" : fmt::format("n is not a whole number of rows of {}", unit);
    const std::uint64_t last = emission.intervals.back().last_n;
    const bool is_limited = last != std::numeric_limits<std::uint64_t>::max();
    const std::string large = is_limited ? fmt::format("n is above {}", last) : "";
    return part + (part.empty() || large.empty() ? "" : " or ") + large;
}

/// Returns the expressions of the plan that depend on the problem's shape.
Values shape_values(const Shape& shape) {
    switch (shape.kind()) {
        case ShapeKind::whole:
            return {{"rows", "1"},
                    {"elements_per_result", "n"},
                    {"first_row_length", "n"},
                    {"first_n", "n"},
                    {"partials", "grid"}};
        case ShapeKind::rows:
            return {{"rows", fmt::format("n / {}", shape.unit())},
                    {"elements_per_result", fmt::format("{}", shape.unit())},
                    {"first_row_length", fmt::format("{}", shape.unit())},
                    {"first_n", "n"},
                    {"partials", "grid"}};
        case ShapeKind::columns:
            return {{"rows", fmt::format("{}", shape.unit())},
                    {"elements_per_result", fmt::format("n / {}", shape.unit())},
                    {"first_row_length", fmt::format("{}", shape.unit())},
                    {"first_n", "n == 0 ? rows : n"},
                    {"partials", "rows * rule->blocks_per_row"}};
    }
    return {};
}

}  // namespace

std::string as_lines(const std::vector<std::string>& members, std::string_view indentation) {
    std::string lines;
    for (const std::string& member : members) lines += fmt::format("{}{}\n", indentation, member);
    return lines;
}

Values common_values(const Emission& emission, const std::string& prefix, std::string_view comment) {
    const std::string impossible = impossible_n(emission);
    return {{"p", prefix},
            {"zeroed", fmt::format("{}", emission.zeroed_bytes)},
            {"workspace", fmt::format("{}", emission.workspace_bytes)},
            {"least", format_size(emission.request.least)},
            {"most", format_size(emission.request.most)},
            {"kernel_count", fmt::format("{}", emission.kernels.size())},
            {"or_zero", impossible.empty() ? "" : fmt::format("\n{} Returns 0 if {}.", comment, impossible)},
            {"or_bad_n", impossible.empty() ? "" : fmt::format(",\n{} or if {}", comment, impossible)},
            {"inputs", emission.request.problem.arrays == 2 ? "x, y" : "input"}};
}

std::string plan_text(const Emission& emission, Values values) {
    const Shape shape = shape_of(emission.request.problem);
    const bool repeats = std::any_of(emission.configurations.begin(), emission.configurations.end(),
                                     [](const auto& each) { return each.rule.continuation == Continuation::repeat; });
    std::vector<std::string> rules;
    for (const EmittedConfiguration& configuration : emission.configurations) rules.push_back(as_line(configuration));
    values["rules"] = as_lines(rules, "    ");
    values["rule_count"] = fmt::format("{}", rules.size());
    values["ranges"] = interval_lines(emission.intervals);
    values["range_count"] = fmt::format("{}", emission.intervals.size());
    values["max_launches"] = repeats ? fmt::format("{}", LaunchPlan::max_launches) : "2";
    values["max_grid"] = fmt::format("{}", max_grid);
    values["header_bytes"] = fmt::format("{}", LaunchPlan::header_bytes);
    for (const auto& [name, value] : shape_values(shape)) values[name] = value;
    values["refuse_part_of_row"] =
        shape.unit() == 1 ? "" : fmt::format("    if (n % {} != 0) return 0;\n", shape.unit());
    return fill_in("plan", values);
}

}  // namespace redtune::emit
