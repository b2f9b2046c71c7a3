#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "redtune/device.h"
#include "redtune/problem.h"

namespace redtune::cli {

/// The winner of one size, as far as the closing lines of `redtune tune` mention it.
struct TunedCell {
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    double gb_per_s = 0;
    std::optional<double> peak_percent;  ///< share of the memory's peak; empty: not known, or the input is in L2
    std::optional<double> speedup;       ///< over the classic reduction; empty: this was not measured
};

/// Returns the lines about one problem on a device that follow the table of `tune`, one paragraph for each regime: how
/// many sizes have a winner, the largest bandwidth, and the speed-up over the classic reduction.
std::string conclude(const Problem& problem, const DeviceInfo& device, const std::vector<TunedCell>& cells);

/// Returns the lines with the commands that use what was tuned. A command that is longer than `columns` is broken
/// before options, with a backslash at the end of each line but the last.
/// @param n the size that the commands ask about
/// @param database the value of --db; empty: none
std::string next_commands(const Problem& problem, const std::string& device, std::uint64_t n, Regime regime,
                          const std::string& database, std::size_t columns);

}  // namespace redtune::cli
