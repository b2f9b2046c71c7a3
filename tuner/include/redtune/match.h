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
    exact,    ///< n was tuned
    between,  ///< n is between two tuned sizes, or was tuned for rows of another length
    beyond    ///< n is outside the tuned range; the configuration is that of the nearest tuned size
};

std::string_view to_string(MatchKind kind) noexcept;

/// The answer of a look-up. Its views point into the catalog that returned it, and must not outlive the catalog.
struct Match {
    MatchKind kind = MatchKind::exact;
    std::string_view device;  ///< the device's name as the driver gives it
    /// The family's name, as `redtune families` lists it. A file of templates/ may define several.
    std::string_view family;
    /// The parameters as they were recorded, in the family's order. A parameter that the family got later is missing;
    /// its default value is meant.
    std::span<const Parameter> parameters;
    LaunchPlan plan;                   ///< launches and workspace for this n
    const LaunchRule* rule = nullptr;  ///< how redtune itself plans the launches for any other n
    bool deterministic = false;        ///< every call gives the same bits
    std::uint64_t row_length = 0;      ///< the tuned row length that the configuration was taken from; 0: no rows
    std::uint64_t tuned_n = 0;         ///< the tuned size that the configuration was taken from
    double expected_us = 0;            ///< time of one call; between tuned sizes, interpolated
    double gb_per_s = 0;               ///< n * element size / expected_us, in 1e9 bytes per second
    std::string_view measured_at;      ///< when the tuned size was measured, ISO 8601 in UTC
};

}  // namespace redtune
