#pragma once

#include <array>

#include "tuner/core/launch_rule.h"
#include "tuner/core/measurement.h"
#include "tuner/gpu/driver.h"

namespace redtune::launch {

/// The kernels of a configuration, loaded into the current context, with the rule that plans their launches.
struct LoadedKernel {
    LaunchRule rule;
    std::array<CUfunction, 3> kernels{};  ///< indexed by KernelRole; null for a role that the rule never uses
    KernelResources resources;            ///< registers, shared memory and spills of the kernel for KernelRole::first
    bool destructive = false;             ///< the kernels overwrite their input
};

}  // namespace redtune::launch
