#pragma once

#include <cstdint>
#include <span>

namespace redtune {

/// Return order statistics with linear interpolation (type 7 of Hyndman and Fan, 1996); 0 for no samples.
double quantile(std::span<const double> samples, double probability);
double median(std::span<const double> samples);
double interquartile_range(std::span<const double> samples);

struct Interval {
    double low = 0;
    double high = 0;
};

/// Returns the 95 % confidence interval of the median from binomial ranks of the order statistics, which assumes no
/// distribution. For fewer than 6 samples it is the whole range.
Interval median_interval(std::span<const double> samples);

/// Returns the 95 % percentile bootstrap interval of the median of paired ratios a[i] / b[i]. The same input gives the
/// same interval, because the generator's seed is fixed.
Interval paired_ratio_interval(std::span<const double> a, std::span<const double> b);

}  // namespace redtune
