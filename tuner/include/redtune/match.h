#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "redtune/launch_plan.h"
#include "redtune/parameter.h"
#include "redtune/problem.h"

namespace redtune {

struct LaunchRule;

/// How a configuration was found.
enum class MatchKind : std::uint8_t {
    exact,    ///< n itself was tuned
    between,  ///< tuned sizes lie on both sides of n; or n was tuned, but for rows of another length
    beyond    ///< n is outside the tuned range; the nearest end was taken
};

std::string_view to_string(MatchKind kind) noexcept;

/// What a look-up returns. Views point into the catalog that returned it and live as long as it does.
struct Match {
    MatchKind kind = MatchKind::exact;
    std::string_view device;                ///< the device's name as the driver gives it
    std::string_view family;                ///< a file name in templates/, without its suffix
    std::span<const Parameter> parameters;  ///< in the family's own order
    LaunchPlan plan;                        ///< launches and workspace for this n
    const LaunchRule* rule = nullptr;       ///< what redtune itself plans the launches of any other n by
    bool deterministic = false;             ///< the same bits at every call
    std::uint64_t row_length = 0;           ///< of rows: the tuned length that the configuration was taken from
    std::uint64_t tuned_n = 0;              ///< the tuned size that the configuration was taken from
    double expected_us = 0;                 ///< time of one call; between tuned sizes, interpolated
    double gb_per_s = 0;                    ///< n * element size / expected_us, in 1e9 bytes per second
    std::string_view measured_at;           ///< when the tuned size was measured, ISO 8601 in UTC
};

}  // namespace redtune
