#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/search/strategy_kind.h"

namespace redtune::search {

/// How much of a cell is measured. docs/search.md has the simulation on which the numbers of effort.cpp rest.
enum class Effort : std::uint8_t { quick, standard, thorough, exhaustive };

/// Returns the effort of this name.
/// @throws InputError with the allowed names.
Effort parse_effort(std::string_view name);

std::string_view effort_name(Effort effort) noexcept;

/// Returns the effort that a winner was stored with (db::StoredWinner::effort); nullopt, which is less than any effort,
/// if the text is empty.
/// @throws InputError for a text that is no name of an effort
std::optional<Effort> stored_effort(std::string_view name);

/// Returns the names of all efforts, the least first.
std::vector<std::string> effort_names();

/// Returns the strategy of an effort.
StrategyKind strategy_of(Effort effort) noexcept;

/// The result of most_screenings() for Effort::exhaustive.
inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// Returns the largest number of trials of a cell that are screened with an effort; two spare ones (strategy.h) count
/// as one.
/// @param is_known whether a similar problem was tuned at this size and regime before: with quick effort, what did well
/// there leaves less to search
std::size_t most_screenings(Effort effort, bool is_known = false) noexcept;

/// Returns the greatest effort that screens at most this number of trials; nullopt if every effort screens more.
/// @param is_known as for most_screenings()
std::optional<Effort> effort_of(std::size_t screenings, bool is_known = false) noexcept;

/// Limits of the stages that follow the screening of a cell.
struct FinalStages {
    /// The best of the screened trials, which are timed longer; 0: the finalists are the best of the screened trials.
    std::size_t survivors;
    std::size_t finalists;          ///< the best of the survivors, which are compared in rounds
    std::size_t finalists_on_data;  ///< the same, if they are compared on several kinds of data
    int rounds;                     ///< even, because the order of the finalists alternates
};

/// Returns the limits of an effort. Those of quick effort are lower: its aim is a winner that is at most 2 % slower
/// than the best, and candidates that differ by less need not be told apart.
const FinalStages& final_stages(Effort effort) noexcept;

}  // namespace redtune::search
