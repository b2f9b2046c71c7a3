#include "db/candidate_reader.h"

#include <fmt/format.h>

#include "redtune/error.h"
#include "tuner/core/launch_values.h"

namespace redtune::db {

Candidate CandidateReader::read(const RowReader& row) const {
    Candidate candidate;
    candidate.configuration.family = family_.name;
    for (const ParameterValues& parameter : family_.parameters) {
        candidate.configuration.parameters.push_back({parameter.name, row.value(parameter.name).value()});
    }
    candidate.rule = read_rule(row);
    candidate.bytes_in_flight = static_cast<std::uint64_t>(integer(row, "bytes_in_flight"));
    candidate.destructive = family_.destructive;
    candidate.deterministic = integer(row, "deterministic") != 0;
    return candidate;
}

LaunchRule CandidateReader::read_rule(const RowReader& row) const {
    LaunchRule rule;
    rule.block = static_cast<std::uint32_t>(integer(row, "block"));
    rule.tile = static_cast<std::uint64_t>(integer(row, "tile"));
    rule.shared_bytes = static_cast<std::uint32_t>(integer(row, "shared_bytes"));
    rule.slot_bytes = static_cast<std::uint32_t>(integer(row, "slot_bytes"));
    rule.slots_zeroed = integer(row, "slots_zeroed") != 0;
    rule.rows_per_block = static_cast<std::uint32_t>(integer(row, "rows_per_block"));
    rule.blocks_per_row = static_cast<std::uint32_t>(integer(row, "blocks_per_row"));
    rule.columns_per_block = static_cast<std::uint32_t>(integer(row, "columns_per_block"));
    rule.parts = static_cast<std::uint32_t>(integer(row, "parts"));
    rule.cluster = static_cast<std::uint32_t>(integer(row, "cluster"));
    rule.combine_block = static_cast<std::uint32_t>(integer(row, "combine_block"));
    rule.combine_pdl = integer(row, "combine_pdl") != 0;
    rule.pdl = integer(row, "pdl") != 0;
    try {
        rule.grid = parse_grid_rule(text(row, "grid", "tiles"));
        rule.continuation = parse_continuation(text(row, "continuation", "none"));
    } catch (const InputError& error) {
        table_.fail(line_of("grid"), error.what());
    }
    if (rule.continuation == Continuation::combine_partials && rule.rows_per_block > 1) {
        table_.fail(line_of("continuation"), "'combine_partials' needs rows_per_block = 1: a block leaves one partial");
    }
    const bool leaves_partials = rule.continuation == Continuation::combine_partials || rule.slots_zeroed;
    if (rule.grid == GridRule::columns && rule.parts > 1 && !leaves_partials) {
        table_.fail(line_of("continuation"),
                    "more than one of 'parts' needs the continuation 'combine_partials' or the finish 'publish'");
    }
    read_grid(row, rule);
    return rule;
}

void CandidateReader::read_grid(const RowReader& row, LaunchRule& rule) const {
    if (rule.grid == GridRule::blocks) rule.blocks = static_cast<std::uint32_t>(integer(row, "blocks"));
    if (rule.grid != GridRule::blocks_per_sm) return;
    const std::optional<Value> value = row.value("blocks_per_sm");
    if (!value || std::holds_alternative<std::string>(*value)) {
        table_.fail(line_of("grid"), "grid 'blocks_per_sm' needs a launch parameter blocks_per_sm");
    }
    rule.blocks_per_sm = std::holds_alternative<double>(*value) ? std::get<double>(*value)
                                                                : static_cast<double>(std::get<std::int64_t>(*value));
    rule.sm_count = sm_count_;
}

int CandidateReader::line_of(std::string_view name) const {
    for (const Expression& derived : family_.derived) {
        if (derived.name == name) return derived.line;
    }
    for (const ParameterValues& parameter : family_.parameters) {
        if (parameter.name == name) return parameter.line;
    }
    return 1;
}

std::int64_t CandidateReader::integer(const RowReader& row, std::string_view name) const {
    const LaunchValue& allowed = *find_launch_value(name);
    const std::optional<Value> value = row.value(name);
    if (!value && allowed.otherwise) return *allowed.otherwise;
    const auto* number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    if (number == nullptr || *number < allowed.least || *number > allowed.most) {
        table_.fail(line_of(name),
                    fmt::format("'{}' is {} for some candidate; allowed are whole numbers from {} to {}", name,
                                value ? to_string(*value) : "nothing", allowed.least, allowed.most));
    }
    return *number;
}

std::string CandidateReader::text(const RowReader& row, std::string_view name, std::string_view otherwise) const {
    const std::optional<Value> value = row.value(name);
    return value ? to_string(*value) : std::string(otherwise);
}

}  // namespace redtune::db
