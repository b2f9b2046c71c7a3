#include "tuner/lookup/fill_match.h"

namespace redtune::lookup {

namespace {

/// Sets the members of a match that describe the configuration itself.
void describe_configuration(const TunedSize& tuned, Match& match) noexcept {
    match.family = tuned.configuration.family;
    match.parameters = tuned.configuration.parameters;
    match.rule = &tuned.rule;
    match.deterministic = tuned.deterministic;
}

/// Returns the size at which a winner is looked for among the sizes that were tuned for another number of columns. If
/// the problem has more columns than were tuned, it is the size with as many rows: more columns only add blocks, while
/// the best configuration of a block depends on the rows that it reads. Else it is n.
std::uint64_t comparable_size(const TunedSizes& tuned, const Asked& asked) noexcept {
    const std::uint64_t columns = asked.problem.columns;
    if (columns <= tuned.problem.columns || tuned.problem.columns == 0) return asked.n;
    return asked.n / columns * tuned.problem.columns;
}

/// Returns the kind of a match of the problem's own tuned sizes. A size that was tuned for another row length or number
/// of columns is not an exact match.
MatchKind kind_of(const Pick& picked, const TunedSizes& tuned, const Problem& problem) noexcept {
    const bool is_other_shape = shape_of(tuned.problem) != shape_of(problem);
    return is_other_shape && picked.kind == MatchKind::exact ? MatchKind::between : picked.kind;
}

}  // namespace

bool fill_match(const TunedSizes& tuned, MatchKind kind, const Asked& asked, Match& match) noexcept {
    const std::uint64_t comparable = comparable_size(tuned, asked);
    auto picked = pick(tuned.sizes, asked.n, shape_of(asked.problem), match.plan, asked.limits, comparable);
    if (!picked) return false;
    if (comparable != asked.n) picked->expected_us = time_near_us(tuned.sizes, asked.n);
    if (kind == MatchKind::exact) kind = kind_of(*picked, tuned, asked.problem);
    if ((asked.kinds >> static_cast<unsigned>(kind) & 1) == 0) return false;
    const TunedSize& winner = *picked->tuned;
    match.kind = kind;
    match.device = asked.device;
    describe_configuration(winner, match);
    match.row_length = tuned.problem.row_length;
    match.columns = tuned.problem.columns;
    match.tuned_n = winner.n;
    // The time of another device says nothing about this one.
    if (kind <= MatchKind::similar_problem) {
        match.expected_us = picked->expected_us;
        match.gb_per_s = static_cast<double>(bytes_read(asked.problem, asked.n)) / picked->expected_us / 1e3;
    }
    match.measured_at = winner.measured_at;
    match.units = winner.units;
    match.spread = winner.spread;
    match.data = winner.data;
    match.tuned_device = tuned.device.name;
    match.tuned_problem = &tuned.problem;
    match.tuned_regime = tuned.regime;
    match.stale = winner.stale;
    return true;
}

bool fill_default_match(const TunedSizes& rules, const Asked& asked, Match& match) noexcept {
    for (const TunedSize& each : rules.sizes) {
        if (!is_usable(each, asked.n, shape_of(asked.problem), match.plan, asked.limits)) continue;
        match.kind = MatchKind::default_rule;
        match.device = asked.device;
        describe_configuration(each, match);
        return true;
    }
    return false;
}

}  // namespace redtune::lookup
