#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/store.h"
#include "redtune/match.h"
#include "tuner/core/configuration.h"

namespace redtune::lookup {

/// The data of a winner that the catalog keeps in memory.
struct TunedSize {
    std::uint64_t n = 0;
    double time_us = 0;
    Configuration configuration;
    LaunchRule rule;
    bool deterministic = false;
    std::string measured_at;
    std::uint32_t units = 1;
    double spread = 0;  ///< 0: not known
    db::SizeRange candidate_for;
    std::vector<DataRatio> data;  ///< data on which the winner was compared
    /// Times at this n of the winners of the neighbouring sizes that picks between sizes use; 0: not measured.
    double of_lower_winner_us = 0;
    double of_upper_winner_us = 0;
};

/// Returns whether a configuration's time grows faster than n between two sizes, by more than the noise of a
/// measurement: then another wave of blocks begins somewhere in between.
bool has_step(const db::TimeAtSize& low, const db::TimeAtSize& high);

/// Returns the index of the next larger size that picks between sizes use; sizes.size() if there is none. Of two tuned
/// sizes that differ by one element or row, the smaller is left out: it serves exact matches only, because it has whole
/// tiles, which make it faster than most sizes.
/// @param row_length the problem's row length; 0 for a whole array
std::size_t next_size_for_between(std::span<const TunedSize> sizes, std::size_t index, std::uint64_t row_length);

/// The configuration that pick() chooses for a size.
struct Pick {
    MatchKind kind = MatchKind::exact;
    const TunedSize* tuned = nullptr;
    double expected_us = 0;
};

/// Returns the configuration for n elements, with its launches and expected time.
///
/// - If n was tuned, it is the winner at n.
/// - Between two tuned sizes, it is the winner of one of them: that with the lower time at n. A winner's time at n is
///   interpolated linearly between its times at both sizes, if both were measured. If it has_step() there, the time at
///   the larger size counts. If no winner has both times, it is the winner of the nearer size in log n (of two equally
///   near sizes, of the larger one), and the expected time is interpolated between the times of the two winners.
/// - Outside the tuned range, it is the winner of the nearest tuned size. Below the range, the expected time is the
///   winner's time; above the range, the expected time is the winner's time scaled in proportion to n.
/// - A winner that is not a candidate for n, or that cannot be launched for n, is left out. Then it is the winner of
/// the
///   nearest tuned size in the order of sizes that is neither.
///
/// @param sizes the tuned sizes in ascending order, without repeats
/// @param row_length the requested problem's row length; 0 for a whole array
/// @param plan receives the launches for n; it must be as new, or from an earlier call
/// @return empty if `sizes` is empty or none of these winners can be launched for n
std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, std::uint64_t row_length,
                         LaunchPlan& plan) noexcept;

/// Does the same, without the launches.
std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, std::uint64_t row_length = 0) noexcept;

}  // namespace redtune::lookup
