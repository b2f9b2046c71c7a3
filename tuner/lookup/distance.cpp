#include "tuner/lookup/distance.h"

#include <cmath>
#include <string_view>

#include "tuner/core/operator.h"
#include "tuner/lookup/snapshot.h"

namespace redtune::lookup {

namespace {

/// Returns how the operator combines its accumulators. A user's operator counts as one of plain values.
Combined combined_by(const Problem& problem) {
    const Operator* op = find_operator(problem.op);
    return op == nullptr ? Combined::value : op->combined;
}

bool has_index(const Problem& problem) {
    return combined_by(problem) == Combined::value_and_index;
}

/// Returns whether drivers report both sizes for the same memory: they reserve some per cent of it.
bool is_same_memory(std::uint64_t a, std::uint64_t b) {
    constexpr double reserved = 1.1;
    if (a == 0 || b == 0) return true;
    const double ratio = static_cast<double>(a) / static_cast<double>(b);
    return ratio < reserved && ratio > 1 / reserved;
}

/// Returns the device's name without its MIG profile.
std::string_view name_of_gpu(const DeviceInfo& device) {
    const std::string_view name = device.name;
    return name.substr(0, name.find(" MIG "));
}

double log_ratio(double a, double b) {
    return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : 0;
}

}  // namespace

std::optional<int> problem_distance(const Problem& tuned, Regime tuned_regime, const Problem& problem, Regime regime) {
    const bool is_comparable = size_of(tuned.input) == size_of(problem.input) &&
                               accumulator_bytes(tuned) == accumulator_bytes(problem) &&
                               tuned.arrays == problem.arrays && shape_of(tuned).kind() == shape_of(problem).kind() &&
                               has_index(tuned) == has_index(problem) && (!tuned.destructive || problem.destructive);
    if (!is_comparable) return std::nullopt;
    constexpr int other_class = 16;
    constexpr int other_regime = 8;
    constexpr int not_addition = 4;
    constexpr int float_or_integer = 2;
    int distance = tuned_regime == regime ? 0 : other_regime;
    if (combined_by(tuned) != combined_by(problem)) distance += other_class;
    if (adds(tuned) != adds(problem)) distance += not_addition;
    if (is_float(tuned.accumulator) != is_float(problem.accumulator)) distance += float_or_integer;
    distance += tuned.op != problem.op;
    distance += tuned.input != problem.input || tuned.accumulator != problem.accumulator;
    distance += tuned.output != problem.output;
    return distance;
}

MatchKind device_relation(const DeviceInfo& tuned, const DeviceInfo& device) {
    if (is_same_chip(tuned, device) && is_same_memory(tuned.memory_bytes, device.memory_bytes)) return MatchKind::exact;
    const bool is_same_capability =
        tuned.compute_major == device.compute_major && tuned.compute_minor == device.compute_minor;
    if (!is_same_capability) return MatchKind::other_device;
    const bool is_slice = tuned.mig_profile != device.mig_profile && name_of_gpu(tuned) == name_of_gpu(device);
    return is_slice || tuned.sm_count == device.sm_count ? MatchKind::same_silicon_other_memory
                                                         : MatchKind::same_compute_capability;
}

double device_distance(const DeviceInfo& tuned, const DeviceInfo& device) {
    return log_ratio(tuned.sm_count, device.sm_count) +
           log_ratio(static_cast<double>(tuned.l2_bytes), static_cast<double>(device.l2_bytes)) +
           log_ratio(tuned.peak_gb_per_s, device.peak_gb_per_s);
}

}  // namespace redtune::lookup
