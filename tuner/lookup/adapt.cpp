#include "tuner/lookup/adapt.h"

#include <algorithm>

#include "db/single_candidate.h"
#include "tuner/core/built_in_families.h"
#include "tuner/core/complete.h"

namespace redtune::lookup {

namespace {

/// Returns a size at which the configuration is a candidate: n, else the nearest power of two times n; empty if there
/// is none up to 2^40 elements (rows of the array, unless it is reduced whole).
std::optional<std::uint64_t> find_size(db::SingleCandidate& candidate, std::uint64_t n, std::uint64_t unit) {
    constexpr int most_doublings = 40;
    const std::uint64_t units = std::max<std::uint64_t>(1, n / unit);
    const std::uint64_t most = db::most_rows(unit);
    for (int shift = 0; shift <= most_doublings; ++shift) {
        const std::uint64_t larger = units << shift;
        if (larger >> shift == units && larger <= most && candidate.at(larger * unit)) return larger * unit;
        const std::uint64_t smaller = units >> shift;
        if (shift > 0 && smaller > 0 && candidate.at(smaller * unit)) return smaller * unit;
    }
    return std::nullopt;
}

/// Returns whether the configuration has exactly the family's parameters.
bool has_all_parameters(const Configuration& configuration, const Family& family) {
    return std::equal(configuration.parameters.begin(), configuration.parameters.end(), family.parameters.begin(),
                      family.parameters.end(),
                      [](const Parameter& a, const ParameterValues& b) { return a.name == b.name; });
}

}  // namespace

bool needs_newer_device(const Family& family, const DeviceInfo& device) {
    return device.compute_major * 10 + device.compute_minor < family.minimum_compute_capability;
}

Obstacle Adapter::adapt(TunedSize& tuned, bool keep_range) {
    const Family* family = find_built_in_family(tuned.configuration.family);
    if (family == nullptr) return Obstacle::unknown_family;
    if (needs_newer_device(*family, device_)) return Obstacle::architecture;
    tuned.configuration.parameters = complete(tuned.configuration.parameters, *family);
    if (!has_all_parameters(tuned.configuration, *family)) return Obstacle::no_candidate;
    const std::optional<Adapted>& adapted = adapt(*family, tuned.configuration, tuned.n);
    if (!adapted) return Obstacle::no_candidate;
    db::SizeRange range = adapted->candidate_for;
    if (keep_range) {
        range = {std::max(range.least, tuned.candidate_for.least), std::min(range.most, tuned.candidate_for.most)};
    }
    if (range.least > range.most) return Obstacle::no_candidate;
    tuned.candidate_for = range;
    tuned.rule = adapted->trial.rule;
    tuned.deterministic = adapted->trial.deterministic;
    return Obstacle::none;
}

const std::optional<Adapted>& Adapter::adapt(const Family& family, const Configuration& configuration,
                                             std::uint64_t n) {
    const auto [found, is_new] = known_.try_emplace(to_string(configuration));
    if (!is_new) return found->second;
    db::SingleCandidate candidate(family, device_, problem_, configuration, regime_);
    if (const auto size = find_size(candidate, n, shape_of(problem_).unit())) {
        found->second = Adapted{candidate.at(*size).value(), candidate.range(*size)};
    }
    return found->second;
}

}  // namespace redtune::lookup
