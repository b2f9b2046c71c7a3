#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace redtune::search {

/// The time that a sweep may take, measured from the construction of the object. Without a limit it never ends.
class TimeBudget {
  public:
    using Clock = std::chrono::steady_clock;

    explicit TimeBudget(std::optional<std::chrono::duration<double>> limit = std::nullopt);

    /// Returns whether the time is over.
    bool is_spent() const { return end_ && Clock::now() >= *end_; }

    /// Returns the time at which the screening of the next cell must end, so that each of the `cells` that remain gets
    /// an equal share of the time that is left, and time is left to compare the cell's best trials; nullopt if there is
    /// no limit.
    std::optional<Clock::time_point> end_of_screening(std::size_t cells) const;

  private:
    std::optional<Clock::time_point> end_;
};

}  // namespace redtune::search
