#include "tuner/search/sweep_timing.h"

#include <algorithm>

namespace redtune::search {

using timing::all_activities;

double SweepTiming::gpu_busy_s() const {
    double busy_s = 0;
    for (const timing::Activity activity : all_activities) {
        if (timing::keeps_gpu_busy(activity)) busy_s += spent[activity];
    }
    return busy_s;
}

double SweepTiming::other_s() const {
    double other_s = after_first_kernel_s;
    for (const timing::Activity activity : all_activities) other_s -= spent[activity];
    return std::max(0.0, other_s);
}

SweepTiming& SweepTiming::operator+=(const SweepTiming& other) {
    before_first_kernel_s += other.before_first_kernel_s;
    after_first_kernel_s += other.after_first_kernel_s;
    spent += other.spent;
    compiled_kernels += other.compiled_kernels;
    for (std::size_t stage = 0; stage < timed_candidates.size(); ++stage) {
        timed_candidates[stage] += other.timed_candidates[stage];
    }
    return *this;
}

}  // namespace redtune::search
