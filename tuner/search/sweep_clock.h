#pragma once

#include "tuner/search/executor.h"
#include "tuner/search/sweep_timing.h"

namespace redtune::search {

/// Measures the wall time of one unit of a sweep, from the construction on. Not thread-safe.
class SweepClock {
  public:
    /// Says that a kernel of a candidate can be run. Only the first call has an effect.
    void first_kernel_is_ready() { account_.start(); }

    /// Counts the kernels of a preparation that has ended.
    void count_compiled(const PrepareProgress& prepared);
    void count_timed(Stage stage, std::size_t candidates);
    /// Adds time that neither the account nor an executor has counted.
    void add_spent(const timing::TimeSpent& spent) { timing_.spent += spent; }

    /// The account of what the process of the search does itself. Its spans must not include a request to an executor.
    timing::TimeAccount& account() { return account_; }

    /// Returns the time until now.
    /// @param executor what it has spent is taken
    SweepTiming read(Executor& executor);

  private:
    timing::TimeAccount::Clock::time_point begin_ = timing::TimeAccount::Clock::now();
    timing::TimeAccount account_;
    SweepTiming timing_;
};

}  // namespace redtune::search
