#pragma once

#include <optional>
#include <string>

#include "redtune/catalog.h"
#include "redtune/device.h"

namespace redtune::cli {

/// The device that a query is about.
struct QueriedDevice {
    DeviceInfo info;
    bool is_here = false;  ///< it is a GPU of this machine
};

/// Returns the device that a --device argument selects, as find_device() reads it: a tuned device, a GPU of this
/// machine, the device of a recording, or a well-known device. Without the argument, returns the first GPU of this
/// machine, else the only tuned device.
/// @throws InputError with the known devices if none fits, or several; DeviceError for the ordinal of a GPU that is not
/// there
QueriedDevice choose_queried_device(const Catalog& catalog, const std::optional<std::string>& text);

}  // namespace redtune::cli
