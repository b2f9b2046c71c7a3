#include "tuner/search/least_time.h"

#include <algorithm>

#include "tuner/timing/constants.h"

namespace redtune::search {

double least_time_us(const Candidate& candidate, const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                     Regime regime) {
    if (candidate.bytes_in_flight == 0) return 0;
    const LaunchPlan plan = make_plan(candidate.rule, n, problem.row_length);
    const std::uint64_t per_sm =
        std::clamp<std::uint64_t>(device.max_threads_per_sm / candidate.rule.block, 1, timing::most_blocks_per_sm);
    const std::uint64_t resident = std::min<std::uint64_t>(plan.steps[0].grid, device.sm_count * per_sm);
    const double rounds =
        static_cast<double>(bytes_read(problem, n)) / static_cast<double>(resident * candidate.bytes_in_flight);
    return rounds * (regime == Regime::warm ? timing::least_l2_latency_us : timing::least_memory_latency_us);
}

}  // namespace redtune::search
