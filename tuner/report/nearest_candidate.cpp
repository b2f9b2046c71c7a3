#include "tuner/report/nearest_candidate.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tuner/core/finish.h"

namespace redtune::report {

namespace {

/// Returns the value of a parameter as a number; empty if the value is a text.
std::optional<double> as_number(const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* fraction = std::get_if<double>(&value)) return *fraction;
    return std::nullopt;
}

double distance(const Value& value, const Value& wanted) {
    const std::optional<double> a = as_number(value);
    const std::optional<double> b = as_number(wanted);
    if (a && b) return std::abs(*a - *b);
    return value == wanted ? 0 : 1;
}

/// Returns the distances between a candidate's parameters and the wanted ones, in the order of `wanted`. The last
/// distance is 0 if the candidate finishes with a second kernel or has no finish, else 1.
std::vector<double> distances(const Candidate& candidate, const std::vector<Parameter>& wanted) {
    std::vector<double> distances;
    for (const Parameter& parameter : wanted) {
        const Value* value = candidate.configuration.find(parameter.name);
        distances.push_back(value == nullptr ? 0 : distance(*value, parameter.value));
    }
    const Value* finish = candidate.configuration.find(finish_parameter);
    distances.push_back(finish == nullptr ? 0 : distance(*finish, std::string(to_string(Finish::two_kernel))));
    return distances;
}

}  // namespace

std::optional<Candidate> nearest_candidate(std::span<const Candidate> candidates,
                                           const std::vector<Parameter>& wanted) {
    const auto nearest = std::min_element(
        candidates.begin(), candidates.end(),
        [&](const Candidate& a, const Candidate& b) { return distances(a, wanted) < distances(b, wanted); });
    return nearest == candidates.end() ? std::nullopt : std::optional(*nearest);
}

}  // namespace redtune::report
