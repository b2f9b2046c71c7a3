#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "db/inspection.h"
#include "db/store.h"
#include "tuner/core/family.h"

namespace redtune::db {

/// The winners of a database; or, for each size and regime of one of its sweeps, the fastest configuration of the
/// latest stage, on uniform data if there is any.
struct ComparedWinners {
    const Store* store = nullptr;
    std::optional<std::int64_t> sweep;  ///< id
};

struct WinnerDiff {
    /// One row for each device, problem, regime, size and kind of determinism on which the two sides disagree. The
    /// column `difference` is one of:
    /// - "winner": they have different winners;
    /// - "time": they have the same winner, but its times differ by more than the tolerance;
    /// - "only in A", "only in B": the other side has no winner.
    ///
    /// `time_ratio` is B's time over A's. `a_in_b_ratio` is the time of A's winner as a finalist in B, over the time of
    /// B's winner, and `b_in_a_ratio` the reverse; NULL if it was not a finalist there.
    Listing rows;
    std::size_t equal = 0;  ///< number of those on which they agree
};

/// Compares the winners of two databases or sweeps. Two configurations are equal if they are so after parameters that
/// one of them was recorded without have got their defaults.
/// @param tolerance the largest relative difference of times that counts as none: 0.05 for 5 %
WinnerDiff diff_winners(const ComparedWinners& a, const ComparedWinners& b, std::span<const Family> families,
                        double tolerance);

}  // namespace redtune::db
