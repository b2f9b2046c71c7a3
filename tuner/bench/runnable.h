#pragma once

#include <array>
#include <cstdint>

#include "tuner/bench/fixed_kernels.h"
#include "tuner/core/launch_rule.h"
#include "tuner/core/measurement.h"
#include "tuner/gpu/driver.h"

namespace redtune::bench {

/// A candidate whose kernels are loaded on the current device.
struct Runnable {
    LaunchRule rule;
    std::array<CUfunction, 3> kernels{};  ///< by KernelRole; null where the rule never needs the role
    KernelResources resources;            ///< of the first kernel
    bool destructive = false;             ///< overwrites its input
};

/// Queues one call: all launches of the plan. `workspace` holds plan.workspace_bytes, as LaunchPlan says.
/// @throws DeviceError
void enqueue(const Runnable& runnable, const LaunchPlan& plan, const InputArrays& input, CUdeviceptr output,
             CUdeviceptr workspace, CUstream stream);

/// The plan of the first call of a captured chain: what is ahead of it is no kernel that it could overlap.
LaunchPlan begins_chain(LaunchPlan plan);

/// The same launches with a kernel that does nothing.
void enqueue_empty(CUfunction empty, const LaunchPlan& plan, CUstream stream);

}  // namespace redtune::bench
