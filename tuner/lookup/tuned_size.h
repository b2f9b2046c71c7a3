#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/store.h"
#include "redtune/match.h"
#include "tuner/core/configuration.h"
#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"

namespace redtune::lookup {

/// The members of a winner that the catalog keeps in memory.
struct TunedSize {
    std::uint64_t n = 0;
    double time_us = 0;
    Configuration configuration;
    LaunchRule rule;
    bool deterministic = false;
    std::string measured_at;
    std::string code_hash;  ///< of the family's code at the time of the measurement
    ToolchainInfo toolchain;
    KernelResources resources;
    std::uint32_t units = 1;
    double spread = 0;  ///< winner's time / best time, the largest on any unit; 0: not known
    db::SizeRange candidate_for;
    std::vector<DataRatio> data;  ///< kinds of data on which the winner was compared, with its ratios
    /// Times at this n of the winners of the next lower and the next upper size (next_interpolation_size()); 0: not
    /// measured.
    double of_lower_winner_us = 0;
    double of_upper_winner_us = 0;
    Staleness stale = {};  ///< set by a selector only
};

/// Returns whether a configuration's time has a step between two sizes, because a further wave of blocks begins there:
/// the time grows faster than n, by more than the noise of a measurement.
bool has_wave_step(const db::TimeAtSize& low, const db::TimeAtSize& high);

/// Returns the index of the next larger size that pick() interpolates to; sizes.size() if there is none. Of two tuned
/// sizes that differ by one element or row, the smaller is left out and serves exact matches only: it is a whole number
/// of tiles, and thus faster than most sizes.
/// @param unit the elements of a row, or 1 (Shape::unit())
std::size_t next_interpolation_size(std::span<const TunedSize> sizes, std::size_t index, std::uint64_t unit);

/// The limits that a pick must keep.
struct PickLimits {
    std::uint64_t max_workspace_bytes = std::numeric_limits<std::uint64_t>::max();
};

/// Returns whether the configuration is a candidate for n and can be launched within the limits, and writes its
/// launches to `plan`, which is unspecified if not. `plan` must be as for write_plan().
bool is_usable(const TunedSize& tuned, std::uint64_t n, const Shape& shape, LaunchPlan& plan,
               const PickLimits& limits) noexcept;

/// The configuration that pick() chooses for a size.
struct Pick {
    MatchKind kind = MatchKind::exact;
    const TunedSize* tuned = nullptr;
    double expected_us = 0;
};

/// Returns the configuration for n elements, with its launches and expected time.
///
/// - If n was tuned: the winner at n.
/// - If n is between two tuned sizes: the winner of one of them, namely the one with the lower time at n. A winner's
///   time at n is interpolated linearly if it was measured at both sizes; if it has_wave_step() between them, its time
///   at the larger size counts. If only one of the two winners was measured at both sizes, that winner is picked. If
///   neither was, the winner of the nearer size in log n is picked (of two equally near sizes, of the larger one), and
///   the expected time is interpolated between the times of the two winners.
/// - If n is outside the tuned range: the winner of the nearest tuned size. Below the range, its expected time is the
///   measured time; above the range, it is the measured time scaled in proportion to n.
/// - If the winner is not a candidate for n, cannot be launched for n or exceeds `limits`: between two tuned sizes the
///   other of the two winners, else the winner of the nearest size in `sizes` that can be used.
///
/// @param sizes the tuned sizes in ascending order, without repeats
/// @param shape the requested problem's shape
/// @param plan receives the launches for n. It must be default-constructed, or the result of an earlier call.
/// @param comparable the size among `sizes` whose winner is picked and planned for n; without it, n
/// @return empty if `sizes` is empty or none of these winners can be used for n
std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, const Shape& shape, LaunchPlan& plan,
                         const PickLimits& limits = {}, std::optional<std::uint64_t> comparable = {}) noexcept;

/// Returns the time of the winners at n elements: interpolated linearly between the two nearest sizes, the time of the
/// smallest size below it, and in proportion to n above the largest. `sizes` must not be empty.
double time_near_us(std::span<const TunedSize> sizes, std::uint64_t n) noexcept;

/// Returns the same configuration, without its launches.
std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, const Shape& shape = {}) noexcept;

}  // namespace redtune::lookup
