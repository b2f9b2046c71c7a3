#pragma once

#include "redtune/launch_plan.h"
#include "tuner/gpu/driver.h"
#include "tuner/launch/loaded_kernel.h"

namespace redtune::launch {

/// The addresses of a problem's input.
struct InputArrays {
    CUdeviceptr first = 0;
    CUdeviceptr second = 0;  ///< for operators over pairs
};

/// Queues one call: all launches of the plan. `workspace` holds plan.workspace_bytes, as LaunchPlan says.
/// @throws DeviceError
void enqueue(const LoadedKernel& kernel, const LaunchPlan& plan, const InputArrays& input, CUdeviceptr output,
             CUdeviceptr workspace, CUstream stream);

/// The same plan, its first launch without PDL: for the first call of a captured sequence, which must not overlap
/// whatever precedes it in the stream.
LaunchPlan without_leading_pdl(LaunchPlan plan);

/// Queues the launches of a plan with a kernel that does nothing.
/// @throws DeviceError
void enqueue_empty(CUfunction empty, const LaunchPlan& plan, CUstream stream);

}  // namespace redtune::launch
