#include "tuner/report/parameter_worth.h"

#include <algorithm>

namespace redtune::report {

namespace {

/// Returns the index of the only parameter in which two configurations of a family differ; nullopt if they differ in
/// none, in several, or in their family.
std::optional<std::size_t> only_difference(const Configuration& a, const Configuration& b) {
    if (a.family != b.family || a.parameters.size() != b.parameters.size()) return std::nullopt;
    std::optional<std::size_t> difference;
    for (std::size_t i = 0; i < a.parameters.size(); ++i) {
        if (a.parameters[i].name != b.parameters[i].name) return std::nullopt;
        if (a.parameters[i].value == b.parameters[i].value) continue;
        if (difference) return std::nullopt;
        difference = i;
    }
    return difference;
}

bool is_comparable(const db::StoredMeasurement& a, const db::StoredMeasurement& b) {
    return a.measurement.stage == b.measurement.stage && a.measurement.data == b.measurement.data && a.unit == b.unit &&
           a.code_hash == b.code_hash;
}

/// Returns the comparison of a measurement with the latest comparable one in `references`; nullopt if there is none.
std::optional<OtherValue> compare(const db::StoredMeasurement& other, const Value& value,
                                  std::span<const db::StoredMeasurement* const> references) {
    for (auto reference = references.rbegin(); reference != references.rend(); ++reference) {
        if (!is_comparable(other, **reference)) continue;
        return OtherValue{value, other.measurement.median_us, (*reference)->measurement.median_us,
                          other.measurement.stage};
    }
    return std::nullopt;
}

/// Adds another value of a parameter. Of several comparisons of the same value, that of the latest stage stays, and of
/// several of one stage, the last.
void add(std::vector<OtherValue>& others, const OtherValue& other) {
    const auto same =
        std::find_if(others.begin(), others.end(), [&](const OtherValue& each) { return each.value == other.value; });
    if (same == others.end()) {
        others.push_back(other);
    } else if (other.stage >= same->stage) {
        *same = other;
    }
}

}  // namespace

std::vector<ParameterWorth> parameter_worths(const Configuration& configuration,
                                             std::span<const db::StoredMeasurement> measurements) {
    std::vector<ParameterWorth> worths;
    for (const Parameter& parameter : configuration.parameters) worths.push_back({parameter.name, parameter.value, {}});
    std::vector<const db::StoredMeasurement*> references;
    const auto is_ok = [](const db::StoredMeasurement& each) { return each.measurement.status == Status::ok; };
    for (const db::StoredMeasurement& each : measurements) {
        if (is_ok(each) && each.configuration == configuration) references.push_back(&each);
    }
    for (const db::StoredMeasurement& each : measurements) {
        if (!is_ok(each)) continue;
        const auto difference = only_difference(configuration, each.configuration);
        if (!difference) continue;
        const Value& value = each.configuration.parameters[*difference].value;
        if (const auto other = compare(each, value, references)) add(worths[*difference].others, *other);
    }
    for (ParameterWorth& worth : worths) {
        std::stable_sort(worth.others.begin(), worth.others.end(),
                         [](const OtherValue& a, const OtherValue& b) { return a.ratio() < b.ratio(); });
    }
    return worths;
}

}  // namespace redtune::report
