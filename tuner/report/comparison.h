#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/match.h"
#include "tuner/report/compared_cell.h"
#include "tuner/report/limit.h"

namespace redtune::report {

/// One row of a comparison with CUB: the times of CUB and redtune for the same input, from interleaved samples.
struct ComparisonRow {
    ComparedCell cell;
    Determinism determinism = Determinism::any;  ///< determinism that redtune's configuration must have
    std::string cub_determinism = "default";     ///< determinism that CUB is asked for
    double redtune_us = 0;
    double cub_us = 0;
    double ratio_low = 0;   ///< lower end of the 95 % bootstrap interval of the median of paired ratios
    double ratio_high = 0;  ///< upper end of the 95 % bootstrap interval of the median of paired ratios
    std::string configuration;
    MatchKind match = MatchKind::exact;  ///< how the look-up for n found the configuration
    std::uint64_t tuned_n = 0;           ///< size for which the configuration was tuned
    std::optional<Limit> limit;          ///< empty if the limit could not be measured

    /// Returns CUB's time over redtune's: above 1, redtune is faster.
    double ratio() const { return cub_us / redtune_us; }
    /// Returns redtune's time over the limit; empty if the limit could not be measured.
    std::optional<double> ratio_to_limit() const {
        return limit ? std::optional(redtune_us / limit->us()) : std::nullopt;
    }
};

/// Returns "tie" if the interval of the ratio contains 1, else "faster" or "slower", as redtune is.
std::string verdict(const ComparisonRow& row);

/// Returns redtune's time in `row` over its time on uniform data, which is in the row of `rows` that differs from `row`
/// only in the data. Empty if there is no such row.
std::optional<double> ratio_to_uniform(const std::vector<ComparisonRow>& rows, const ComparisonRow& row);

/// The summary of a group of rows. All its rows have the same number of streams, alignment, data, determinism of
/// redtune and determinism of CUB.
struct ComparisonGroup {
    Streams streams = Streams::one;
    std::uint64_t offset = 0;
    Determinism determinism = Determinism::any;
    std::string cub_determinism;
    std::string by;    ///< property by which the rows are grouped: "all", "op", "dtype", "shape", "size" or "match"
    std::string name;  ///< value of the property `by`, for example "sum" or "f32"; "all" for all rows
    std::size_t cells = 0;
    double ratio = 0;                      ///< geometric mean of the rows' ratios
    double worst = 0;                      ///< least of the rows' ratios
    std::size_t slower = 0;                ///< rows whose verdict is "slower"
    std::optional<double> ratio_to_limit;  ///< geometric mean of redtune's times over the limits; empty without limits
    std::string data = "uniform";
};

/// Returns the groups for each combination of streams, alignment, data and determinism: the group of all rows, then the
/// groups by operator, by type and by size class (up to 32 KiB, up to 32 MiB, above), and by shape and by kind of match
/// if the rows have several.
std::vector<ComparisonGroup> summarize(const std::vector<ComparisonRow>& rows);

/// The cost of determinism: the geometric mean of redtune's time with determinism run_to_run over its time with
/// determinism any.
struct DeterminismCost {
    std::size_t cells = 0;
    double ratio = 0;
};
/// Returns the cost of determinism over all cells that were measured with both kinds; empty if there are no such cells.
std::optional<DeterminismCost> determinism_cost(const std::vector<ComparisonRow>& rows);

}  // namespace redtune::report
