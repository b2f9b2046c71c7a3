#include "tuner/search/sweep_clock.h"

namespace redtune::search {

void SweepClock::count_compiled(const PrepareProgress& prepared) {
    timing_.compiled_kernels += prepared.done - prepared.from_cache;
}

void SweepClock::count_timed(Stage stage, std::size_t candidates) {
    timing_.timed_candidates[static_cast<std::size_t>(stage)] += candidates;
}

SweepTiming SweepClock::read(Executor& executor) {
    const auto now = timing::TimeAccount::Clock::now();
    const auto first_kernel = account_.started_at().value_or(now);
    timing_.before_first_kernel_s = std::chrono::duration<double>(first_kernel - begin_).count();
    timing_.after_first_kernel_s = std::chrono::duration<double>(now - first_kernel).count();
    timing_.spent += account_.take_spent();
    timing_.spent += executor.take_spent();
    return timing_;
}

}  // namespace redtune::search
