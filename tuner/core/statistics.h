#pragma once

#include <cstdint>
#include <span>

namespace redtune {

/// Returns a quantile of the samples with linear interpolation (type 7 of Hyndman and Fan, 1996); 0 for no samples.
double quantile(std::span<const double> samples, double probability);
/// Returns quantile(samples, 0.5).
double median(std::span<const double> samples);
/// Returns the difference of the quantiles at 0.75 and 0.25.
double interquartile_range(std::span<const double> samples);

struct Interval {
    double low = 0;
    double high = 0;
};

/// Returns the distribution-free 95 % confidence interval of the median, from binomial ranks of the order statistics.
/// For fewer than 6 samples it is the range from the smallest to the largest sample.
Interval median_interval(std::span<const double> samples);

/// Returns the 95 % percentile bootstrap interval of the median of the paired ratios a[i] / b[i]. The seed of the
/// random numbers is fixed, so that the same input gives the same interval.
Interval paired_ratio_interval(std::span<const double> a, std::span<const double> b);

}  // namespace redtune
