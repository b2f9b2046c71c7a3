#pragma once

#include <array>
#include <cstddef>

#include "tuner/core/measurement.h"
#include "tuner/timing/time_account.h"

namespace redtune::search {

/// Where the wall time of a sweep went, in seconds. If several units measured, every number is the sum over the units.
struct SweepTiming {
    double before_first_kernel_s = 0;  ///< from the planning until a candidate's kernel was compiled or in the cache
    double after_first_kernel_s = 0;   ///< from then until the end of the sweep
    timing::TimeSpent spent;           ///< parts of after_first_kernel_s
    std::size_t compiled_kernels = 0;  ///< kernels that were not in the cache
    std::array<std::size_t, 3> timed_candidates{};  ///< candidates that were timed at each Stage

    /// Returns the time that the GPU was busy with checks and timings.
    double gpu_busy_s() const;
    /// Returns the time after the first kernel that belongs to no activity: the strategy, waiting for other units,
    /// messages to worker processes, starting them anew.
    double other_s() const;

    SweepTiming& operator+=(const SweepTiming& other);
};

}  // namespace redtune::search
