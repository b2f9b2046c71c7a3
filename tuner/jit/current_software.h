#pragma once

#include <span>

#include "redtune/selector.h"
#include "tuner/core/family.h"

namespace redtune::jit {

/// Returns the software at hand: the code of these families, and on a machine with a GPU the versions of its driver and
/// of NVRTC. A version that cannot be found out stays empty, so that it is not compared.
/// @param is_device_here false: the configurations are for a device of another machine, whose versions are unknown
Software current_software(std::span<const Family> families, bool is_device_here);

}  // namespace redtune::jit
