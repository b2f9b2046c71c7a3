#pragma once

#include <vector>

#include "redtune/catalog.h"
#include "redtune/device.h"

namespace redtune::cli {

/// Returns descriptions of the GPUs of a compute capability (major x 10 + minor): those of this machine, the tuned and
/// the well-known ones. If there is none, returns the well-known GPUs of other compute capabilities as if they had this
/// one.
std::vector<DeviceInfo> devices_of_architecture(int compute_capability, const Catalog& catalog);

}  // namespace redtune::cli
