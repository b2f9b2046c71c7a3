#pragma once

#include <cstdint>
#include <string_view>

#include "redtune/device.h"
#include "redtune/problem.h"
#include "redtune/selector.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// Why a configuration cannot be taken for a problem on a device, whatever n.
enum class Obstacle : std::uint8_t {
    none,
    unknown_family,        ///< its family is not built in, so what it needs on another device is unknown
    architecture,          ///< its family needs a newer compute capability
    no_candidate,          ///< the tuner would not consider it there at any size
    dependent_launch,      ///< needs programmatic dependent launches, which the device does not have
    clusters,              ///< needs clusters, which the device does not have, or larger ones than it has for sure
    finish,                ///< the device or the problem does not support its finish
    threads,               ///< more threads per block than the device runs
    shared_memory,         ///< more shared memory per block than the device has
    registers,             ///< perhaps more registers per block than the device has
    residency,             ///< a block waits for others, and perhaps only one fits on the device at once
    pdl_not_allowed,       ///< SelectOptions::allow_pdl is false
    progress_not_allowed,  ///< SelectOptions::allow_forward_progress is false
    not_deterministic      ///< the problem asks for Determinism::run_to_run
};

/// Returns the obstacle as a phrase: "not deterministic from run to run".
std::string_view describe(Obstacle obstacle) noexcept;

/// Returns the first obstacle to taking the configuration; none if it can be taken.
/// @param was_measured_there its time was measured for this problem on this chip, so that its registers, shared memory
/// and clusters are known to fit there
Obstacle find_obstacle(const TunedSize& tuned, const Problem& problem, const DeviceInfo& device,
                       const SelectOptions& options, bool was_measured_there);

}  // namespace redtune::lookup
