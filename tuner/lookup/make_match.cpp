#include "tuner/lookup/make_match.h"

namespace redtune::lookup {

namespace {

/// Sets the members of a match that describe the configuration itself.
void describe_configuration(const TunedSize& tuned, Match& match) noexcept {
    match.family = tuned.configuration.family;
    match.parameters = tuned.configuration.parameters;
    match.rule = &tuned.rule;
    match.deterministic = tuned.deterministic;
}

}  // namespace

std::optional<Match> make_match(const TunedSizes& tuned, const Problem& problem, std::uint64_t n,
                                std::string_view device, const PickLimits& limits) noexcept {
    std::optional<Match> made(std::in_place);
    Match& match = *made;
    const auto picked = pick(tuned.sizes, n, problem.row_length, match.plan, limits);
    if (!picked) return std::nullopt;
    const TunedSize& winner = *picked->tuned;
    match.kind = picked->kind;
    match.row_length = tuned.problem.row_length;
    // A size that was tuned for another row length is not an exact match.
    if (match.row_length != problem.row_length && match.kind == MatchKind::exact) match.kind = MatchKind::between;
    match.device = device;
    describe_configuration(winner, match);
    match.tuned_n = winner.n;
    match.expected_us = picked->expected_us;
    if (picked->expected_us > 0) {
        match.gb_per_s = static_cast<double>(bytes_read(problem, n)) / picked->expected_us / 1e3;
    }
    match.measured_at = winner.measured_at;
    match.units = winner.units;
    match.spread = winner.spread;
    match.data = winner.data;
    match.tuned_device = tuned.device.name;
    match.tuned_problem = &tuned.problem;
    match.tuned_regime = tuned.regime;
    match.stale = winner.stale;
    return made;
}

std::optional<Match> make_default_match(const TunedSizes& rules, const Problem& problem, std::uint64_t n,
                                        std::string_view device, const PickLimits& limits) noexcept {
    std::optional<Match> made(std::in_place);
    Match& match = *made;
    for (const TunedSize& each : rules.sizes) {
        if (!is_usable(each, n, problem.row_length, match.plan, limits)) continue;
        match.kind = MatchKind::default_rule;
        match.device = device;
        describe_configuration(each, match);
        return made;
    }
    return std::nullopt;
}

}  // namespace redtune::lookup
