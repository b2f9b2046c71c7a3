#pragma once

#include <cstdint>

#include "redtune/call_status.h"
#include "redtune/launch_plan.h"
#include "tuner/gpu/driver.h"
#include "tuner/launch/arguments.h"
#include "tuner/launch/loaded_kernel.h"

namespace redtune::runtime {

/// One call of a reduction, apart from its workspace.
struct Call {
    const launch::LoadedKernel& kernel;
    const LaunchPlan& plan;
    launch::InputArrays input;
    const launch::DeviceCount* count = nullptr;  ///< null: the plan has the number of elements
    std::uint64_t output = 0;
    CUstream stream = nullptr;
};

/// The result of enqueuing a call.
struct Enqueued {
    CallStatus status = CallStatus::ok;
    std::uint32_t launches = 0;  ///< launches that the driver was asked for
};

/// Enqueues all launches of a call, in order, up to the first that fails. Allocates nothing unless one fails.
Enqueued enqueue(const Call& call, const launch::WorkspaceParts& workspace) noexcept;

}  // namespace redtune::runtime
