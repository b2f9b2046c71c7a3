#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "redtune/device.h"
#include "redtune/problem.h"
#include "tuner/core/trial.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// Returns an estimate of the time of a call in microseconds, by which trials are ranked before any is measured.
///
/// The estimate is the sum of these parts:
/// - the time to read the input: its bytes over the bandwidth that the SMs in use can reach, but at least the latency
///   of memory for each round of loads. A block reads Trial::bytes_in_flight in a round; blocks that do not fit on the
///   SMs at once wait for others;
/// - a small loss for the part of the last round that loads nothing, and for the threads of a block;
/// - the time in which the blocks combine their results, by finish.
/// @param trial has known bytes_in_flight
double estimated_us(const Trial& trial, const DeviceInfo& device, const Problem& problem, std::uint64_t n);

/// A trial is likely if its estimate is within this factor of the cell's least one.
inline constexpr double likely_within = 1.5;
/// likely_trials() returns at most this many.
inline constexpr std::size_t most_likely = 12;
/// The families take turns, because the model ranks the trials of a family better than it compares families. This many
/// trials of each come in a turn.
inline constexpr std::size_t likely_in_a_turn = 2;

/// Returns the trials of a cell with the least estimates, by turn of their families, and then the least first. Trials
/// with unknown bytes_in_flight are left out.
std::vector<std::size_t> likely_trials(const Cell& cell, const DeviceInfo& device, const Problem& problem);

}  // namespace redtune::search
