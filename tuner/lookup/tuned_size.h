#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "redtune/match.h"
#include "tuner/core/configuration.h"

namespace redtune::lookup {

/// A winner as the catalog keeps it.
struct TunedSize {
    std::uint64_t n = 0;
    double time_us = 0;
    Configuration configuration;
    LaunchRule rule;
    bool deterministic = false;
    std::string measured_at;
};

/// What the rule between sizes picks.
struct Pick {
    MatchKind kind = MatchKind::exact;
    const TunedSize* tuned = nullptr;
    double expected_us = 0;
    LaunchPlan plan;  ///< for the n that was asked for
};

/// The rule. At a tuned size, its winner. Between two, the nearer in log n (of equals, the larger), with the time
/// that a straight line through both gives in log-log; where that one cannot be launched at n, the other. Outside,
/// the nearest end: below it the end's time, above it the end's time scaled by n.
///
/// @param sizes ascending by n, each n once
/// @param row_length of the problem asked for: 0 for a whole array
/// @return empty where there is no size, or none of these can be launched at n
std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, std::uint64_t row_length = 0) noexcept;

}  // namespace redtune::lookup
