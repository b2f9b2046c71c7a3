#pragma once

#include <array>

#include "tuner/core/launch_rule.h"
#include "tuner/core/measurement.h"
#include "tuner/gpu/driver.h"

namespace redtune::launch {

/// A configuration whose kernels are loaded in the current context.
struct LoadedKernel {
    LaunchRule rule;
    std::array<CUfunction, 3> kernels{};  ///< by KernelRole; null where the rule never needs the role
    KernelResources resources;            ///< of the first kernel
    bool destructive = false;             ///< overwrites its input
};

}  // namespace redtune::launch
