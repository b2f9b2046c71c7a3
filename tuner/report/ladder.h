#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "redtune/parameter.h"
#include "redtune/problem.h"
#include "tuner/core/family.h"

namespace redtune::report {

/// One kernel of a ladder, and the time that was published for it.
struct LadderStep {
    std::string family;
    std::vector<Parameter> parameters;   ///< wanted values; the nearest candidate is measured
    std::optional<double> published_us;  ///< the kernel alone, on the set-up's card; empty: nothing was published
};

/// A ladder: kernels for one problem, each an improvement of the one before.
struct LadderSetup {
    std::string name;
    Problem problem;
    std::uint64_t n = 0;  ///< elements
    std::vector<LadderStep> steps;
    std::string published_on;  ///< the card of the published figures; empty: there are none
    std::string source;        ///< publication of the kernels and figures, with remarks, in one line
};

/// Returns the names of the ladders that were published with times.
std::vector<std::string> ladder_names();

/// Returns the ladders that were published with times. Their steps are the families whose role says so.
/// @throws InputError for a family whose role names another ladder
std::vector<LadderSetup> published_ladders(std::span<const Family> families);

/// Returns the steps of the first published ladder of the problem's shape that leaves the input as it is.
std::vector<std::string> default_steps(const Problem& problem, std::span<const Family> families);

/// Returns a ladder named "custom" of the families in this order, with blocks of `block` threads. The other parameters
/// are as in the published ladders. The problem becomes destructive where a family is.
LadderSetup custom_ladder(Problem problem, std::uint64_t n, std::int64_t block, std::span<const Family> families);

/// The times of one step.
struct LadderTimes {
    std::string family;
    std::string configuration;        ///< empty: there is no candidate
    std::optional<double> kernel_us;  ///< median of the first kernel alone; empty: failed or not measured
    std::optional<double> call_us;    ///< median of the whole reduction; empty likewise
};

/// The times of a ladder.
struct LadderResult {
    std::vector<LadderTimes> steps;      ///< in the set-up's order; fewer where the run was interrupted
    std::optional<LadderTimes> redtune;  ///< the best of redtune's own kernels
    std::size_t failed = 0;              ///< candidates that failed, also when they were only screened
};

/// A time and the figures computed from it. A figure is empty where the time, or the time it is compared with, is
/// missing.
struct LadderFigures {
    std::optional<double> us;
    std::optional<double> gb_per_s;      ///< input bytes over the time, in 1e9 bytes per second
    std::optional<double> peak_percent;  ///< share of the memory's peak
    std::optional<double> speedup;       ///< over step 1 of the set-up
};

/// One line of the report.
struct LadderRow {
    std::string setup;
    std::size_t step = 0;  ///< from 1; 0: redtune's own
    std::string family;
    std::string configuration;
    LadderFigures kernel;                     ///< the first kernel alone
    LadderFigures call;                       ///< the whole reduction
    std::string published_on;                 ///< empty where nothing was published for the step
    std::optional<double> published_us;       ///< the kernel alone
    std::optional<double> published_speedup;  ///< over the published step 1
};

/// Returns one row for each step, then one for the best of redtune's own kernels where that was measured.
/// @param peak_gb_per_s of the device's memory; 0: unknown, and `peak_percent` stays empty
std::vector<LadderRow> ladder_rows(const LadderSetup& setup, const LadderResult& result, double peak_gb_per_s);

}  // namespace redtune::report
