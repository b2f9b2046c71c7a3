#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/search/strategy_kind.h"

namespace redtune::search {

/// The number of a cell's trials that is screened. docs/search.md has the simulation on which the numbers rest.
enum class Effort : std::uint8_t {
    quick,      ///< 50 trials
    standard,   ///< 100 trials
    thorough,   ///< 200 trials
    exhaustive  ///< every trial
};

/// Returns the effort of this name.
/// @throws InputError with the allowed names.
Effort parse_effort(std::string_view name);

/// Returns the names of all efforts, the least first.
std::vector<std::string> effort_names();

/// Returns the strategy of an effort.
StrategyKind strategy_of(Effort effort) noexcept;

/// The result of most_screenings() for Effort::exhaustive.
inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// Returns the largest number of trials of a cell that are screened with an effort.
std::size_t most_screenings(Effort effort) noexcept;

}  // namespace redtune::search
