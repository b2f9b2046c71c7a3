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

/// One kernel of a ladder, and what was published for it.
struct LadderStep {
    std::string family;
    std::vector<Parameter> parameters;   ///< wanted; the nearest candidate stands in where there is no such one
    std::optional<double> published_us;  ///< the kernel alone, on the set-up's card; empty: nothing was published
};

/// A ladder: kernels for one problem, each an improvement of the one before.
struct LadderSetup {
    std::string name;
    Problem problem;
    std::uint64_t n = 0;  ///< elements
    std::vector<LadderStep> steps;
    std::string published_on;  ///< the card of the published figures; empty: there are none
    std::string source;        ///< whose kernels and figures these are, and what to know of them; one line
};

/// The ladders that were published with times.
std::span<const LadderSetup> published_ladders();

/// The families of the first published ladder of the problem's shape that leaves the input as it is.
std::vector<std::string> default_steps(const Problem& problem);

/// A ladder named "custom", of the families in this order, with blocks of `block` threads. The other parameters are as
/// in the published ladders. The problem becomes destructive where a family is.
LadderSetup custom_ladder(Problem problem, std::uint64_t n, std::int64_t block, std::span<const Family> families);

/// What came of one step.
struct LadderTimes {
    std::string family;
    std::string configuration;        ///< empty: there is no candidate
    std::optional<double> kernel_us;  ///< median of the first kernel alone; empty: failed or not measured
    std::optional<double> call_us;    ///< median of the whole reduction; empty likewise
};

/// What came of a ladder.
struct LadderResult {
    std::vector<LadderTimes> steps;      ///< in the set-up's order; fewer where the run was interrupted
    std::optional<LadderTimes> redtune;  ///< the best of redtune's own kernels
    std::size_t failed = 0;              ///< candidates, those that were only screened included
};

/// A time and what follows from it; each empty where the time, or what it is compared with, is not there.
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

/// One row for each step, then one for redtune's own, where measured.
/// @param peak_gb_per_s of the device's memory; 0: unknown, and shares are empty
std::vector<LadderRow> ladder_rows(const LadderSetup& setup, const LadderResult& result, double peak_gb_per_s);

}  // namespace redtune::report
