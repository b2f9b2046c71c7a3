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

/// The rung of a look-up that gave the answer, best first. What was asked for is a problem, a device, a regime and a
/// size n. The first three rungs serve winners of exactly this problem, device and regime.
enum class MatchKind : std::uint8_t {
    exact,    ///< n itself was tuned
    between,  ///< n is between two tuned sizes, or was tuned for rows of another length, or another number of columns
    beyond,   ///< n is outside the tuned range; the configuration is that of the nearest tuned size
    similar_problem,  ///< tuned on this device for another regime, type of the same width, or operator of the same
                      ///< class
    same_silicon_other_memory,  ///< tuned on the same chip with another memory, or on a MIG slice of it
    same_compute_capability,    ///< tuned on another chip of the same compute capability
    other_device,               ///< tuned on the device that is nearest in SMs, L2 cache and bandwidth
    default_rule                ///< not tuned: a rule of thumb
};

/// Returns all kinds, best first.
REDTUNE_EXPORT std::span<const MatchKind> match_kinds() noexcept;

REDTUNE_EXPORT std::string_view to_string(MatchKind kind) noexcept;
/// Returns the kind whose printed name is `name`.
/// @throws InputError, which lists the allowed names, if no kind has this name.
REDTUNE_EXPORT MatchKind parse_match_kind(std::string_view name);

/// The differences between the software that a configuration was measured with and the software at hand. A stale
/// configuration gives right results, but may no longer be the best.
struct Staleness {
    bool code = false;    ///< the kernel's code has changed
    bool driver = false;  ///< the driver has another version
    bool nvrtc = false;   ///< NVRTC has another version

    /// Returns whether anything differs.
    bool any() const noexcept { return code || driver || nvrtc; }
    /// Returns whether all members are equal.
    friend bool operator==(const Staleness&, const Staleness&) = default;
};

/// The result of a look-up. Its views and pointers stay valid while the catalog lives that returned it or made the
/// selector that returned it, also after Catalog::reload().
struct Match {
    MatchKind kind = MatchKind::exact;  ///< rung of the look-up
    std::string_view device;            ///< the driver's name of the device that was asked for
    /// The family's name, as `redtune families` lists it. A file of templates/ may define several.
    std::string_view family;
    /// The parameters as they were recorded, in the family's order. A parameter that was added to the family later is
    /// missing; the configuration then has its default value.
    std::span<const Parameter> parameters;
    LaunchPlan plan;                   ///< launches and workspace for this n
    const LaunchRule* rule = nullptr;  ///< for internal use: redtune computes the plan for any other n from this rule
    bool deterministic = false;        ///< every call on the same input gives the same bits
    std::uint64_t row_length = 0;      ///< row length that the configuration was tuned for; 0: no rows
    std::uint64_t columns = 0;         ///< columns that the configuration was tuned for; 0: no columns
    std::uint64_t tuned_n = 0;         ///< size n that the configuration was tuned for
    /// Time of one call, interpolated between tuned sizes; 0: not known, because the configuration was tuned on another
    /// device or not at all.
    double expected_us = 0;
    double gb_per_s = 0;           ///< bytes of all input arrays / expected_us, in 1e9 bytes per second; 0: not known
    std::string_view measured_at;  ///< time of the measurement in ISO 8601, UTC
    std::uint32_t units = 1;       ///< GPUs of the device on whose measurements the choice of the configuration rests
    double spread = 0;  ///< largest ratio, over these GPUs, of the configuration's time to the GPU's best; 0: one GPU
    /// The data on which the configuration was compared with others; the first is that of expected_us.
    std::span<const DataRatio> data;
    std::string_view tuned_device;           ///< the device that the configuration was tuned on; empty: default_rule
    const Problem* tuned_problem = nullptr;  ///< the problem that it was tuned for; null: default_rule
    Regime tuned_regime = Regime::cold;      ///< the regime that it was tuned in
    Staleness stale;  ///< compared with SelectOptions::software; nothing is stale if that was not given
};

}  // namespace redtune
