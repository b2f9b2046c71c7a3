#include "tuner/search/time_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tuner/core/finish.h"
#include "tuner/core/launch_rule.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

// The constants are of an H200 (November 2026). They only have to rank trials, so other devices need no others.

constexpr double launch_us = 0.6;
constexpr double memory_latency_us = 0.55;
constexpr double idle_loads_us = 0.15;     ///< a round without loads, but with the instructions of one
constexpr double thread_us = 0.12 / 1024;  ///< starting a thread and combining its value with its block's
constexpr double sm_bytes_per_us = 60e3;   ///< an SM cannot read faster, whatever the others do
constexpr double reachable_part_of_peak = 0.93;
/// The loads in flight need registers or shared memory, of which an SM has about this much.
constexpr std::uint64_t sm_bytes = std::uint64_t{228} << 10;

/// The time in which the blocks of a grid combine their results: a part that every grid takes, and one for each block.
/// The differences between the finishes are medians over the screenings of the sum of f32 that the recorded H200 has of
/// two configurations that differ in the finish only.
struct CombiningTime {
    double us;
    double us_of_block;
};

CombiningTime combining_time(Finish finish) {
    switch (finish) {
        case Finish::two_kernel:
            return {1.0, 0.0004};
        case Finish::dependent:
            return {0.75, 0.0004};
        case Finish::ticket:
            return {1.2, 0.0006};
        case Finish::atomic:
            return {1.0, 0.0004};
        case Finish::packed:
            return {0.35, 0.0004};
        case Finish::publish:
        case Finish::cluster:
        case Finish::cluster_publish:
            break;
    }
    return {0.45, 0.0006};
}

/// Returns the finish of a trial; of one whose family does not name it, a finish with as many launches.
Finish finish_of(const Trial& trial, const LaunchPlan& plan) {
    const Value* finish = trial.configuration.find(finish_parameter);
    if (finish != nullptr) return parse_finish(to_string(*finish));
    return plan.count > 1 ? Finish::two_kernel : Finish::publish;
}

double combining_us(const Trial& trial, const LaunchPlan& plan) {
    const std::uint64_t grid = plan.steps[0].grid;
    if (grid == 1) return 0;
    const CombiningTime time = combining_time(finish_of(trial, plan));
    return time.us + time.us_of_block * static_cast<double>(grid);
}

}  // namespace

double estimated_us(const Trial& trial, const DeviceInfo& device, const Problem& problem, std::uint64_t n) {
    const LaunchPlan plan = make_plan(trial.rule, extents_of(problem, n));
    if (plan.count == 0) return 0;
    const std::uint64_t grid = plan.steps[0].grid;
    const std::uint64_t block = trial.rule.block;
    const std::uint64_t in_flight = trial.bytes_in_flight;
    const std::uint64_t per_sm = std::clamp<std::uint64_t>(
        std::min(device.max_threads_per_sm / block, sm_bytes / in_flight), 1, timing::most_blocks_per_sm);
    const std::uint64_t sms = std::max(device.sm_count, 1U);
    const std::uint64_t waves = (grid + sms * per_sm - 1) / (sms * per_sm);

    const auto bytes = static_cast<double>(bytes_read(problem, n));
    const double rounds = bytes / static_cast<double>(grid * in_flight);
    const double whole_rounds = std::max(1.0, std::ceil(rounds));
    const double in_turn = static_cast<double>(waves - 1) * std::max(1.0, rounds) + whole_rounds;
    const double gb_per_s = device.peak_gb_per_s > 0 ? device.peak_gb_per_s : timing::assumed_gb_per_s;
    const double bytes_per_us =
        std::min(gb_per_s * 1e3 * reachable_part_of_peak, static_cast<double>(std::min(grid, sms)) * sm_bytes_per_us);
    const double reading_us = std::max(memory_latency_us * in_turn, memory_latency_us + bytes / bytes_per_us);

    return launch_us + reading_us + idle_loads_us * (whole_rounds - rounds) / whole_rounds +
           thread_us * static_cast<double>(block) + combining_us(trial, plan);
}

std::vector<std::size_t> likely_trials(const Cell& cell, const DeviceInfo& device, const Problem& problem) {
    struct Estimate {
        std::size_t trial;
        double us;
        std::size_t turn = 0;
    };
    std::vector<Estimate> estimates;
    for (std::size_t i = 0; i < cell.trials.size(); ++i) {
        const Trial& trial = cell.trials[i];
        if (trial.bytes_in_flight == 0) continue;
        estimates.push_back({i, estimated_us(trial, device, problem, cell.n)});
    }
    std::ranges::stable_sort(estimates, {}, &Estimate::us);
    if (estimates.empty()) return {};
    std::erase_if(estimates, [least_us = estimates.front().us](const Estimate& estimate) {
        return estimate.us > likely_within * least_us;
    });
    std::map<std::string, std::size_t> of_family;
    for (Estimate& estimate : estimates) {
        estimate.turn = of_family[cell.trials[estimate.trial].configuration.family]++ / likely_in_a_turn;
    }
    std::ranges::stable_sort(estimates, {}, &Estimate::turn);
    if (estimates.size() > most_likely) estimates.resize(most_likely);
    std::vector<std::size_t> likely;
    for (const Estimate& estimate : estimates) likely.push_back(estimate.trial);
    return likely;
}

}  // namespace redtune::search
