#pragma once

#include "redtune/launch_plan.h"
#include "tuner/gpu/driver.h"
#include "tuner/launch/arguments.h"
#include "tuner/launch/loaded_kernel.h"

namespace redtune::launch {

/// Enqueues one call: all launches of the plan, in order. `workspace` is the address of plan.workspace_bytes of device
/// memory, of which the first plan.zeroed_bytes must be zero.
/// @throws DeviceError
void enqueue(const LoadedKernel& kernel, const LaunchPlan& plan, const InputArrays& input, CUdeviceptr output,
             CUdeviceptr workspace, CUstream stream);

/// Returns the plan with programmatic dependent launch (PDL) switched off for its first launch. The first call of a
/// captured sequence needs this, because it must not overlap the work that precedes it in the stream.
LaunchPlan without_leading_pdl(LaunchPlan plan);

/// Enqueues the launches of a plan with a kernel that does nothing, to measure what the launches alone cost.
/// @throws DeviceError
void enqueue_empty(CUfunction empty, const LaunchPlan& plan, CUstream stream);

}  // namespace redtune::launch
