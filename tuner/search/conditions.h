#pragma once

#include <string>
#include <vector>

#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"

namespace redtune::search {

/// The recorded conditions of a time, apart from the configuration. A text that is not known is empty.
struct Conditions {
    std::string source;  ///< "gpu" or "replay:NAME"
    ToolchainInfo toolchain;
    std::string code_hash;  ///< of the configuration's family
    DeviceInfo device;      ///< `device.uuid` is the unit
    Circumstances circumstances;
};

/// Two clock rates are the same if they differ by at most this fraction: boost clocks vary by a step or two.
inline constexpr double same_clock_within = 0.03;

/// Returns what differs between the conditions of a stored measurement and those of one that was taken now, one phrase
/// each: "driver 580.159.04, now 590.44.01". A value that either side does not know is not compared. A replay has the
/// versions, the unit and the clocks of its recording's device, so these are not compared with those of a GPU.
std::vector<std::string> differences(const Conditions& stored, const Conditions& now);

}  // namespace redtune::search
