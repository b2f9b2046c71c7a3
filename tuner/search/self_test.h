#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "db/store.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"
#include "tuner/search/executor.h"
#include "tuner/search/profiled_call.h"
#include "tuner/search/sweep_plan.h"
#include "tuner/search/sweep_progress.h"

namespace redtune::search {

/// The results of the self-test at one size.
struct SelfTestedSize {
    std::uint64_t n = 0;
    std::optional<Trial> first;   ///< the winner of the first sweep
    std::optional<Trial> second;  ///< the winner of the second sweep
    double first_us = 0;          ///< median of the first winner over all races
    double difference = 0;        ///< time of the slower of the two winners over that of the faster one, minus 1
    int races = 0;                ///< A/A races: the first winner against itself
    int false_wins = 0;           ///< races that one of the two equal contestants won by its time
    double largest_gap = 0;       ///< the largest ratio of the two medians of a race, minus 1
    double drift = 0;  ///< the largest difference of a race's median from first_us, as a fraction of first_us
    /// The first winner as a profiler times it. run_self_test() leaves it empty: its caller has the profiler.
    std::optional<ProfiledCall> profiled = std::nullopt;

    /// Returns the difference of the profiled time from first_us, as a fraction of first_us; empty if there is none or
    /// if the call is too short for a comparison (least_profiled_launch_us).
    std::optional<double> profiled_difference() const;
};

/// The limits of a machine whose times can be trusted. A false win is one in a hundred, and two sweeps agree if their
/// winners are as close as a tie (choose.h). With a larger drift, the best of an early and a late screening would not
/// meet as finalists (timing::finalist_within).
inline constexpr double most_false_wins = 0.01;
inline constexpr double most_difference = 0.005;
inline constexpr double least_agreement = 0.99;  ///< share of sizes at which two sweeps must agree
inline constexpr double most_drift = 0.02;
/// The duration of a kernel under a profiler begins before its first block and ends after its last one, so it is longer
/// than the kernel takes in a graph: by 1.4 to 2.8 us for eight kernels on an H200 (docs/method.md). Therefore only
/// calls are compared that take least_profiled_launch_us for each of their launches. Of the most_profiled_difference
/// that is allowed then, at most 2.8 % is this effect, and the rest is noise.
inline constexpr double least_profiled_launch_us = 100;
inline constexpr double most_profiled_difference = 0.05;

struct SelfTest {
    std::vector<SelfTestedSize> sizes;
    bool is_interrupted = false;

    /// Returns what is beyond the limits, one text each; nothing if the machine can be trusted.
    std::vector<std::string> flaws() const;
};

/// Tests whether the times that an executor takes can be trusted, in three ways:
/// - two sweeps, each with a database of its own, are compared: at each size, their winners are timed in interleaved
///   rounds;
/// - A/A races: the first winner is compared with itself, as two finalists are. The rule that chooses winners
///   (choose.h) must not find one of them faster;
/// - drift: the medians of these races are compared.
/// @param request has one regime and one kind of data
/// @param first,second empty databases
/// @param races the number of races at each size
/// @param show is called during the sweeps and after each race
SelfTest run_self_test(Executor& executor, db::Store& first, db::Store& second, const std::vector<Family>& families,
                       const SweepRequest& request, int races, const std::function<void(const SweepProgress&)>& show,
                       const std::atomic<bool>& stop);

}  // namespace redtune::search
