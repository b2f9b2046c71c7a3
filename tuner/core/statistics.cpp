#include "tuner/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace redtune {

namespace {

std::vector<double> sorted(std::span<const double> samples) {
    std::vector<double> copy(samples.begin(), samples.end());
    std::sort(copy.begin(), copy.end());
    return copy;
}

double quantile_of_sorted(const std::vector<double>& ordered, double probability) {
    if (ordered.empty()) return 0;
    const double position = probability * static_cast<double>(ordered.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, ordered.size() - 1);
    const double part = position - static_cast<double>(below);
    return ordered[below] + part * (ordered[above] - ordered[below]);
}

}  // namespace

double quantile(std::span<const double> samples, double probability) {
    return quantile_of_sorted(sorted(samples), probability);
}

double median(std::span<const double> samples) {
    return quantile(samples, 0.5);
}

double interquartile_range(std::span<const double> samples) {
    const std::vector<double> ordered = sorted(samples);
    return quantile_of_sorted(ordered, 0.75) - quantile_of_sorted(ordered, 0.25);
}

Interval median_interval(std::span<const double> samples) {
    if (samples.empty()) return {};
    const std::vector<double> ordered = sorted(samples);
    const auto count = static_cast<double>(ordered.size());
    if (ordered.size() < 6) return {ordered.front(), ordered.back()};
    // The number of samples below the true median is binomially distributed. The ranks come from the normal
    // approximation of that distribution, rounded outwards.
    const double half_width = 1.96 * std::sqrt(count) / 2;
    const double low = std::max(0.0, std::floor(count / 2 - half_width));
    const double high = std::min(count - 1, std::ceil(count / 2 + half_width));
    return {ordered[static_cast<std::size_t>(low)], ordered[static_cast<std::size_t>(high)]};
}

Interval paired_ratio_interval(std::span<const double> a, std::span<const double> b) {
    const std::size_t count = std::min(a.size(), b.size());
    if (count == 0) return {};
    std::vector<double> ratios(count);
    for (std::size_t i = 0; i < count; ++i) ratios[i] = a[i] / b[i];
    constexpr int resamples = 1000;
    // An arbitrary fixed seed. The modulo replaces std::uniform_int_distribution, whose results differ between standard
    // libraries.
    std::mt19937_64 generator(20261120);
    std::vector<double> medians(resamples);
    std::vector<double> draw(count);
    for (double& value : medians) {
        for (double& ratio : draw) ratio = ratios[generator() % count];
        value = median(draw);
    }
    std::sort(medians.begin(), medians.end());
    return {quantile_of_sorted(medians, 0.025), quantile_of_sorted(medians, 0.975)};
}

}  // namespace redtune
