#include "tuner/search/time_budget.h"

#include <algorithm>

namespace redtune::search {

namespace {

/// The share of a cell's time that is spent on screening. Timing the survivors and finalists takes about as long as 60
/// screenings (planner.cpp), and a search of standard effort has 100.
constexpr double screening_share = 0.6;

}  // namespace

TimeBudget::TimeBudget(std::optional<std::chrono::duration<double>> limit) {
    if (limit) end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*limit);
}

std::optional<TimeBudget::Clock::time_point> TimeBudget::end_of_screening(std::size_t cells) const {
    if (!end_) return std::nullopt;
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double> left = std::max(*end_, now) - now;
    const auto share = left * screening_share / static_cast<double>(std::max<std::size_t>(1, cells));
    return now + std::chrono::duration_cast<Clock::duration>(share);
}

}  // namespace redtune::search
