#include "tuner/search/lower_bound.h"

#include <algorithm>

#include "tuner/timing/constants.h"

namespace redtune::search {

double lower_bound_us(const Trial& trial, const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                      Regime regime) {
    if (trial.bytes_in_flight == 0) return 0;
    const LaunchPlan plan = make_plan(trial.rule, extents_of(problem, n));
    const std::uint64_t per_sm =
        std::clamp<std::uint64_t>(device.max_threads_per_sm / trial.rule.block, 1, timing::most_blocks_per_sm);
    const std::uint64_t resident = std::min<std::uint64_t>(plan.steps[0].grid, device.sm_count * per_sm);
    const double rounds =
        static_cast<double>(bytes_read(problem, n)) / static_cast<double>(resident * trial.bytes_in_flight);
    return rounds * (regime == Regime::warm ? timing::least_l2_latency_us : timing::least_memory_latency_us);
}

bool is_hopeless(const Trial& trial, const DeviceInfo& device, const Problem& problem, const CellKey& cell,
                 double best_us) {
    return best_us != 0 &&
           lower_bound_us(trial, device, problem, cell.first, cell.second) > timing::early_stop_cutoff * best_us;
}

}  // namespace redtune::search
