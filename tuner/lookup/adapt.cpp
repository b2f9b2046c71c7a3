#include "tuner/lookup/adapt.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

/// Returns whether the configuration has exactly the family's parameters, with values that the family lists. A database
/// may hold any others.
bool is_of_family(const Configuration& configuration, const Family& family) {
    return std::ranges::equal(configuration.parameters, family.parameters,
                              [](const Parameter& parameter, const ParameterValues& listed) {
                                  return parameter.name == listed.name &&
                                         std::ranges::find(listed.values, parameter.value) != listed.values.end();
                              });
}

std::int64_t number_in(const Value& value) {
    return std::get<std::int64_t>(value);
}

/// Returns the parameter's values that may take the place of `wanted`, the most suitable first: the smallest one that
/// is not below it, then the smaller ones, the largest first. If the former is far above it, so that almost half of the
/// threads would be idle, it comes second.
std::vector<Value> suitable(const ParameterValues& parameter, double wanted) {
    constexpr double far_above = 1.75;
    std::vector<Value> sorted = parameter.values;
    std::ranges::sort(sorted, std::ranges::greater(), number_in);
    const auto below =
        std::ranges::find_if(sorted, [&](const Value& each) { return static_cast<double>(number_in(each)) < wanted; });
    if (below == sorted.begin()) return sorted;
    sorted.erase(sorted.begin(), below - 1);
    const bool is_far = static_cast<double>(number_in(sorted.front())) > far_above * wanted;
    if (is_far && sorted.size() > 1) std::swap(sorted[0], sorted[1]);
    return sorted;
}

/// Returns the values of a parameter, those that differ from `value` by the smallest factor first.
std::vector<Value> by_distance(const ParameterValues& parameter, std::int64_t value) {
    std::vector<Value> sorted = parameter.values;
    std::ranges::stable_sort(sorted, {}, [&](const Value& each) {
        return std::abs(std::log(static_cast<double>(number_in(each)) / static_cast<double>(value)));
    });
    return sorted;
}

/// Returns the values of the parameter `name`; null if the family has no such parameter.
const ParameterValues* values_of(const Family& family, std::string_view name) {
    const auto found = std::ranges::find(family.parameters, name, &ParameterValues::name);
    return found == family.parameters.end() ? nullptr : &*found;
}

}  // namespace

bool needs_newer_device(const Family& family, const DeviceInfo& device) {
    return device.compute_major * 10 + device.compute_minor < family.minimum_compute_capability;
}

/// Scales the parameter that grows with the row length from rows of `tuned_row_length` to those of the problem, so that
/// a thread has about as many elements of a row as it had. If no candidate has the new value, takes the nearest block
/// size and value with which there is one. Changes nothing if there is none.
void Adapter::scale(TunedSize& tuned, const Family& family, std::uint64_t tuned_row_length) {
    const ParameterValues* growing = values_of(family, family.grows_with_row_length);
    const ParameterValues* blocks = values_of(family, "block");
    if (growing == nullptr || blocks == nullptr) return;
    // Rows that are a little longer than a whole number of tiles need no further threads.
    constexpr double slack = 15.0 / 16;
    // Rows whose lengths differ by more have other best configurations.
    constexpr double most_ratio = 16;
    const double ratio = static_cast<double>(problem_.row_length) / static_cast<double>(tuned_row_length);
    if (ratio > most_ratio || ratio < 1 / most_ratio) return;
    Configuration scaled = tuned.configuration;
    Value& value = std::ranges::find(scaled.parameters, growing->name, &Parameter::name)->value;
    Value& block = std::ranges::find(scaled.parameters, "block", &Parameter::name)->value;
    const std::vector<Value> nearest_blocks = by_distance(*blocks, number_in(block));
    for (const Value& number : suitable(*growing, slack * ratio * static_cast<double>(number_in(value)))) {
        value = number;
        for (const Value& each : nearest_blocks) {
            block = each;
            if (!adapt(family, scaled, tuned.n)) continue;
            if (scaled != tuned.configuration) tuned.resources = {};  // they are those of another kernel
            tuned.configuration = std::move(scaled);
            return;
        }
    }
}

Obstacle Adapter::adapt(TunedSize& tuned, const Shape& tuned_shape) {
    const Family* family = find_built_in_family(tuned.configuration.family);
    if (family == nullptr) return Obstacle::unknown_family;
    if (needs_newer_device(*family, device_)) return Obstacle::architecture;
    tuned.configuration.parameters = complete(tuned.configuration.parameters, *family);
    if (!is_of_family(tuned.configuration, *family)) return Obstacle::no_candidate;
    const bool is_same_shape = tuned_shape == shape_of(problem_);
    if (problem_.row_length != 0 && !is_same_shape) scale(tuned, *family, tuned_shape.row_length);
    std::uint64_t near = tuned.n;
    // fill_match() takes this size for one with as many rows.
    if (problem_.columns > tuned_shape.columns && tuned_shape.columns != 0) {
        near = tuned.n / tuned_shape.columns * problem_.columns;
    }
    const std::optional<Adapted>& adapted = adapt(*family, tuned.configuration, near);
    if (!adapted) return Obstacle::no_candidate;
    db::SizeRange range = adapted->candidate_for;
    if (is_same_shape) {
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
