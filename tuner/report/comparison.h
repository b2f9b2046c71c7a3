#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"

namespace redtune::report {

/// From how many streams the process has launched kernels by the time of a comparison: it matters to the time of every
/// launch (docs/method.md), of either side.
enum class Streams : std::uint8_t { one, several };

std::string_view to_string(Streams streams) noexcept;
/// @throws InputError with the allowed names.
Streams parse_streams(std::string_view name);

/// One cell of a comparison with CUB: both sides' time for the same input, from samples that were taken in turns.
struct ComparisonRow {
    std::string op;
    std::string dtype;
    Determinism determinism = Determinism::any;  ///< wanted of redtune's configuration
    std::string cub_determinism = "default";     ///< asked of CUB
    std::uint64_t bytes = 0;                     ///< of input
    std::uint64_t n = 0;                         ///< elements
    Regime regime = Regime::cold;
    std::uint64_t offset = 0;  ///< elements that the pointer is off alignment
    double redtune_us = 0;
    double cub_us = 0;
    double ratio_low = 0;
    double ratio_high = 0;  ///< 95 % bootstrap interval of the paired ratios
    std::string configuration;
    Streams streams = Streams::one;

    /// CUB's time over redtune's.
    double ratio() const { return cub_us / redtune_us; }
};

/// "faster" or "slower" where the interval does not reach 1, else "tie"; of redtune.
std::string verdict(const ComparisonRow& row);

/// "aligned", or "1 off" and so on.
std::string alignment_name(std::uint64_t offset);

/// What is summed up together: rows of one number of streams, one alignment and one kind of determinism on either side.
struct ComparisonGroup {
    Streams streams = Streams::one;
    std::uint64_t offset = 0;
    Determinism determinism = Determinism::any;
    std::string cub_determinism;
    std::string by;    ///< "all", "op", "dtype" or "size"
    std::string name;  ///< which one, "all" for all
    std::size_t cells = 0;
    double ratio = 0;  ///< geometric mean
    double worst = 0;  ///< the least ratio
    std::size_t slower = 0;
};

/// Groups in the order of their rows: all, by operator, by type, by size class (up to 32 KiB, up to 32 MiB, above).
std::vector<ComparisonGroup> summarize(const std::vector<ComparisonRow>& rows);

/// What determinism costs redtune: the geometric mean of its time under run_to_run over that under any, of all cells
/// that were measured with both; empty where there are none.
struct DeterminismCost {
    std::size_t cells = 0;
    double ratio = 0;
};
std::optional<DeterminismCost> determinism_cost(const std::vector<ComparisonRow>& rows);

}  // namespace redtune::report
