#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "redtune/match.h"
#include "tuner/core/configuration.h"

namespace redtune::lookup {

/// The part of a winner that the catalog keeps.
struct TunedSize {
    std::uint64_t n = 0;
    double time_us = 0;
    Configuration configuration;
    LaunchRule rule;
    bool deterministic = false;
    std::string measured_at;
};

/// The configuration that pick() chooses for a size.
struct Pick {
    MatchKind kind = MatchKind::exact;
    const TunedSize* tuned = nullptr;
    double expected_us = 0;
    LaunchPlan plan;  ///< for the requested n
};

/// Picks the configuration for n elements. A tuned n has its own winner. Between two tuned sizes, the winner of the
/// nearer one in log n is picked (the larger if both are equally near), or the other if that one cannot be launched at
/// n; the expected time is interpolated linearly in log n and log time. Outside of the tuned range, the winner of the
/// nearest end is picked: below, with its time; above, with its time scaled by n.
///
/// @param sizes ascending by n, each n once
/// @param row_length the requested problem's; 0 for a whole array
/// @return empty if there is no size, or none of the candidates above can be launched at n
std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, std::uint64_t row_length = 0) noexcept;

}  // namespace redtune::lookup
