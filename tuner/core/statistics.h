#pragma once

#include <cstdint>
#include <span>

namespace redtune {

/// Order statistics with linear interpolation (type 7 of Hyndman and Fan, 1996). Empty input gives 0.
double quantile(std::span<const double> samples, double probability);
double median(std::span<const double> samples);
double interquartile_range(std::span<const double> samples);

struct Interval {
    double low = 0;
    double high = 0;
};

/// 95 % interval of the median from the order statistics' binomial ranks; needs no distribution. Fewer
/// than 6 samples give the whole range.
Interval median_interval(std::span<const double> samples);

/// 95 % percentile bootstrap interval of the median of paired ratios a[i] / b[i]. The same input gives
/// the same interval: the generator's seed is fixed.
Interval paired_ratio_interval(std::span<const double> a, std::span<const double> b);

}  // namespace redtune
