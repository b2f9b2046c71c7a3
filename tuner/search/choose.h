#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/core/measurement.h"

namespace redtune::search {

/// Returns the indexes of the measurements whose median exceeds the best one by at most the fraction `within` (0.05: 5
/// %), the best first. Returns at most `most` of them. Only measurements with status ok count; ties keep the order of
/// the input.
std::vector<std::size_t> near_best(std::span<const Measurement> measurements, double within, std::size_t most);

/// The properties that decide between tied finalists: a deterministic one wins, then the one with fewer registers, then
/// the first.
struct Simplicity {
    bool deterministic = true;
    std::uint32_t registers = 0;
};

/// The winner among the finalists of a cell, and the reason why it was chosen.
struct Choice {
    std::size_t winner = 0;  ///< index among the finalists
    std::string decided_by;  ///< "time", "simplicity" or "only candidate"
    /// Time of the next best finalist over the time of the winner; with several kinds of data, the worst ratio of the
    /// former over that of the latter.
    std::optional<double> runner_up_ratio;
    std::vector<double> ratios;  ///< for each kind of data: median of the winner over the best median of a finalist
};

/// Two times are tied if their ratio is at most this.
inline constexpr double tie_ratio = 1.005;

/// Chooses the winner among finalists that were measured on one or several kinds of data. A finalist's ratio on a kind
/// of data is its median over the best median of a finalist there.
///
/// The winner is the finalist whose worst ratio is least (minimax; with one kind of data, the finalist with the best
/// median), or a simpler one that is tied with it. A finalist is tied if its worst ratio is within tie_ratio of the
/// least, or if on each kind of data the 95 % bootstrap interval of the paired ratios reaches 1. The samples must be
/// paired: sample i of each finalist was taken next to sample i of the others.
/// @param finalists for each kind of data, one measurement of each finalist, in the same order
/// @return nullopt if no finalist is ok on all kinds of data
std::optional<Choice> choose(std::span<const std::vector<Measurement>> finalists,
                             std::span<const Simplicity> simplicity);

}  // namespace redtune::search
