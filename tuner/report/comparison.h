#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"

namespace redtune::report {

/// The number of CUDA streams in which the context has launched kernels before a comparison. After launches in several
/// streams every launch takes longer ("One stream or several" in docs/method.md).
enum class Streams : std::uint8_t { one, several };

std::string_view to_string(Streams streams) noexcept;
/// Returns the value of the name "one" or "several".
/// @throws InputError with the allowed names.
Streams parse_streams(std::string_view name);

/// One cell of a comparison with CUB: the times of CUB and redtune for the same input, from interleaved samples.
struct ComparisonRow {
    std::string op;
    std::string dtype;
    Determinism determinism = Determinism::any;  ///< determinism that redtune's configuration must have
    std::string cub_determinism = "default";     ///< determinism that CUB is asked for
    std::uint64_t bytes = 0;                     ///< bytes of input
    std::uint64_t n = 0;                         ///< number of elements
    Regime regime = Regime::cold;
    std::uint64_t offset = 0;  ///< elements that the pointer is off alignment
    double redtune_us = 0;
    double cub_us = 0;
    double ratio_low = 0;   ///< lower end of the 95 % bootstrap interval of the median of paired ratios
    double ratio_high = 0;  ///< upper end of that interval
    std::string configuration;
    Streams streams = Streams::one;

    /// Returns CUB's time over redtune's: above 1, redtune is faster.
    double ratio() const { return cub_us / redtune_us; }
};

/// Returns "faster" or "slower" if the interval excludes 1, depending on whether redtune is faster or slower; else
/// "tie".
std::string verdict(const ComparisonRow& row);

/// Returns "aligned" for 0, else "1 off", "2 off" and so on.
std::string alignment_name(std::uint64_t offset);

/// The summary of a group of rows. All its rows have the same number of streams, alignment, determinism of redtune and
/// determinism of CUB.
struct ComparisonGroup {
    Streams streams = Streams::one;
    std::uint64_t offset = 0;
    Determinism determinism = Determinism::any;
    std::string cub_determinism;
    std::string by;    ///< property by which the rows are grouped: "all", "op", "dtype" or "size"
    std::string name;  ///< value of that property, for example "sum" or "f32"; "all" for all rows
    std::size_t cells = 0;
    double ratio = 0;        ///< geometric mean of the rows' ratios
    double worst = 0;        ///< least ratio of a row
    std::size_t slower = 0;  ///< rows whose verdict is "slower"
};

/// Returns the groups for each combination of streams, alignment and determinism: the group of all rows, then the
/// groups by operator, by type and by size class (up to 32 KiB, up to 32 MiB, above).
std::vector<ComparisonGroup> summarize(const std::vector<ComparisonRow>& rows);

/// The cost of determinism: the geometric mean of redtune's time with determinism run_to_run over its time with
/// determinism any.
struct DeterminismCost {
    std::size_t cells = 0;
    double ratio = 0;
};
/// Returns the cost over all cells that were measured with both kinds of determinism; empty if there are none.
std::optional<DeterminismCost> determinism_cost(const std::vector<ComparisonRow>& rows);

}  // namespace redtune::report
