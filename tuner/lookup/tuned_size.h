#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
    std::vector<DataRatio> data;  ///< data on which the winner was compared
};

/// The configuration that pick() chooses for a size.
struct Pick {
    MatchKind kind = MatchKind::exact;
    const TunedSize* tuned = nullptr;
    double expected_us = 0;
    LaunchPlan plan;  ///< for the requested n
};

/// Returns the configuration for n elements, with its launches and expected time.
///
/// - If n was tuned, it is the winner at n.
/// - Between two tuned sizes, it is the winner of the nearer size in log n; of two equally near sizes, of the
///   larger one. If that winner cannot be launched for n, it is the winner of the other size. The expected time is
///   interpolated linearly in log n and log time.
/// - Outside the tuned range, it is the winner of the nearest tuned size. Below the range, the expected time is the
///   winner's time; above the range, the expected time is the winner's time scaled in proportion to n.
///
/// @param sizes the tuned sizes in ascending order, without repeats
/// @param row_length the requested problem's row length; 0 for a whole array
/// @return empty if `sizes` is empty or none of these winners can be launched for n
std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, std::uint64_t row_length = 0) noexcept;

}  // namespace redtune::lookup
