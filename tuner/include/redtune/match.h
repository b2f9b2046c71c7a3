#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "redtune/data_ratio.h"
#include "redtune/export.h"
#include "redtune/launch_plan.h"
#include "redtune/parameter.h"
#include "redtune/problem.h"

namespace redtune {

struct LaunchRule;

/// The relation of the requested size to the tuned size whose configuration was taken.
enum class MatchKind : std::uint8_t {
    exact,    ///< n itself was tuned
    between,  ///< n is between two tuned sizes, or was tuned for rows of another length
    beyond    ///< n is outside the tuned range; the configuration is that of the nearest tuned size
};

REDTUNE_EXPORT std::string_view to_string(MatchKind kind) noexcept;

/// The result of a look-up. Its views and pointers refer to the catalog that returned it and must not outlive it.
struct Match {
    MatchKind kind = MatchKind::exact;  ///< relation of n to the tuned size
    std::string_view device;            ///< the driver's name of the device
    /// The family's name, as `redtune families` lists it. A file of templates/ may define several.
    std::string_view family;
    /// The parameters as they were recorded, in the family's order. A parameter that was added to the family later is
    /// missing; the configuration then has its default value.
    std::span<const Parameter> parameters;
    LaunchPlan plan;                   ///< launches and workspace for this n
    const LaunchRule* rule = nullptr;  ///< for internal use: redtune computes the plan for any other n from this rule
    bool deterministic = false;        ///< every call on the same input gives the same bits
    std::uint64_t row_length = 0;      ///< row length that the configuration was tuned for; 0: whole arrays
    std::uint64_t tuned_n = 0;         ///< size n that the configuration was tuned for
    double expected_us = 0;            ///< time of one call; interpolated between tuned sizes
    double gb_per_s = 0;               ///< bytes of all input arrays / expected_us, in 1e9 bytes per second
    std::string_view measured_at;      ///< time of the measurement in ISO 8601, UTC
    std::uint32_t units = 1;  ///< GPUs of the device on whose measurements the choice of the configuration rests
    double spread = 0;  ///< largest ratio, over these GPUs, of the configuration's time to the GPU's best; 0: one GPU
    /// The data on which the configuration was compared with others; the first is that of expected_us.
    std::span<const DataRatio> data;
};

}  // namespace redtune
