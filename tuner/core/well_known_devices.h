#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/device.h"

namespace redtune {

/// Returns descriptions of widespread NVIDIA GPUs, by compute capability. Their memory is the nominal size, of which a
/// driver reserves some per cent.
std::vector<DeviceInfo> well_known_devices();

/// Returns the description of the device with this name in the driver; empty if it is not well known.
std::optional<DeviceInfo> find_well_known_device(std::string_view name);

}  // namespace redtune
