#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/layer.h"
#include "redtune/match.h"
#include "tuner/core/family.h"
#include "tuner/core/statistics.h"
#include "tuner/report/parameter_worth.h"

namespace redtune::report {

/// A lower bound on the time of a call, from what the database knows about the device and the winner.
struct StoredLimit {
    double floor_us = 0;   ///< time of the winner's launches with empty kernels; 0: not measured
    double memory_us = 0;  ///< bytes of input / peak bandwidth of the memory; 0: not known, or the input is warm

    double us() const { return std::max(floor_us, memory_us); }
};

/// The reasons for a winner, as far as databases have them.
struct Explanation {
    db::StoredWinner winner;
    std::string layer;  ///< the file that has the winner: "user" or "shipped"
    std::optional<Interval>
        interval;                ///< 95 % confidence interval of the median time; nullopt: the samples did not ship
    std::size_t candidates = 0;  ///< number of configurations that were measured for this cell, in any file
    /// The fastest other finalist; nullopt if no file has one.
    std::optional<db::StoredMeasurement> runner_up;
    double runner_up_ratio = 0;  ///< its time / the winner's; 0: not known
    std::vector<ParameterWorth> parameters;
    std::string parameters_from;  ///< the file that has the times of `parameters`; empty if none has any
    StoredLimit limit;
    /// The regret of look-ups between the tuned sizes of this problem; nullopt if no size was checked.
    std::optional<db::MeasuredRegret> regret;
};

/// Returns why the winner of a match won its cell: the tuned problem, device, regime and size that answered. Returns
/// nullopt for a rule of thumb, which has no cell.
/// @param files the files that the look-up read, followed by others that may have measurements of the same cell
/// @param families complete the configurations that are read
/// @throws DatabaseError if a file cannot be read
std::optional<Explanation> explain(const Match& match, std::span<const db::Layer> files,
                                   const std::vector<Family>& families);

}  // namespace redtune::report
