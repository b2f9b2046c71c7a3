#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "redtune/parameter.h"
#include "redtune/problem.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"
#include "tuner/report/counters.h"

namespace redtune::report {

/// One kernel of a ladder, and the time that was published for it.
struct LadderStep {
    std::string family;
    std::vector<Parameter> parameters;   ///< wanted values; the nearest candidate is measured
    std::optional<double> published_us;  ///< published time of the kernel alone; empty: not published
    /// Published Counters::memory_percent of the kernel; empty: not published.
    std::optional<double> published_memory_percent = {};
};

/// A ladder: kernels for one problem, each of which improves on the one before.
struct LadderSetup {
    std::string name;
    Problem problem;
    std::uint64_t n = 0;  ///< number of elements
    std::vector<LadderStep> steps;
    std::string published_on;  ///< GPU of the published times; empty: there are no published times
    std::string source;        ///< the publication that the kernels and their times come from, in one line
};

/// Returns the names of the ladders that have published times.
std::vector<std::string> ladder_names();

/// Returns the ladders that have published times. Their steps are the families whose role names the ladder.
/// @throws InputError for a family whose role names an unknown ladder
std::vector<LadderSetup> published_ladders(std::span<const Family> families);

/// Returns the names of the steps of the first published ladder that has the problem's shape and does not overwrite its
/// input.
std::vector<std::string> default_steps(const Problem& problem, std::span<const Family> families);

/// Returns a ladder named "custom" with the families in this order and blocks of `block` threads. The other parameters
/// are those of the published ladders. Sets `destructive` in the ladder's problem if one of the families overwrites its
/// input.
LadderSetup custom_ladder(Problem problem, std::uint64_t n, std::int64_t block, std::span<const Family> families);

/// The measured times of one step.
struct LadderTimes {
    std::string family;
    std::string configuration;              ///< measured configuration; empty: the family has no candidate
    std::optional<double> kernel_us;        ///< median of the first kernel alone; empty: failed or not measured
    std::optional<double> call_us;          ///< median of the whole reduction; empty: failed or not measured
    std::optional<Trial> trial = {};        ///< what was timed; empty: nothing was
    std::optional<Counters> counters = {};  ///< hardware counters of the first kernel; empty: not read
};

/// The measured times of a ladder.
struct LadderResult {
    std::vector<LadderTimes> steps;      ///< in the order of the set-up's steps; fewer if the run was interrupted
    std::optional<LadderTimes> redtune;  ///< times of the best of redtune's own kernels
    std::size_t failed = 0;              ///< number of candidates that failed, including those that were only screened
};

/// A time and the figures that are computed from it. A figure is empty if its time, or the time that it is compared
/// with, is missing.
struct LadderFigures {
    std::optional<double> us;
    std::optional<double> gb_per_s;      ///< input bytes over the time, in 1e9 bytes per second
    std::optional<double> peak_percent;  ///< bandwidth as a share of the memory's peak
    std::optional<double> speedup;       ///< time of step 1 over this time
};

/// One row of the report of a ladder: a step, or redtune's own kernel.
struct LadderRow {
    std::string setup;
    std::size_t step = 0;  ///< number of the step, from 1; 0: the row of redtune's own kernels
    std::string family;
    std::string configuration;
    LadderFigures kernel;                     ///< figures of the first kernel alone
    LadderFigures call;                       ///< figures of the whole reduction
    std::string published_on;                 ///< GPU of the publication; empty: the step was not published
    std::optional<double> published_us;       ///< published time of the kernel alone
    std::optional<double> published_speedup;  ///< published time of step 1 over published_us
    std::optional<double> published_memory_percent;
    std::optional<Counters> counters;  ///< hardware counters of the first kernel
};

/// Returns one row for each step, then one row for the best of redtune's own kernels if that was measured.
/// @param peak_gb_per_s peak bandwidth of the device's memory; 0: unknown, and `peak_percent` stays empty
std::vector<LadderRow> ladder_rows(const LadderSetup& setup, const LadderResult& result, double peak_gb_per_s);

}  // namespace redtune::report
