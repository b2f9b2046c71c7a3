#pragma once

#include <cstdint>
#include <functional>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"
#include "tuner/core/measurement.h"
#include "tuner/launch/enqueue.h"

namespace redtune::timing {

/// Device memory that one timed call uses.
struct CallBuffers {
    launch::InputArrays input;
    CUdeviceptr output = 0;
    CUdeviceptr workspace = 0;  ///< has the plan's workspace_bytes; its first zeroed_bytes are zero
};

/// A reduction that the timer can time: a kernel of this project, or a function of a library.
struct Subject {
    /// Enqueues call number `call` of a sample. Runs while a graph is captured, so it must not allocate or wait.
    std::function<void(std::uint32_t call, const CallBuffers& buffers, CUstream stream)> enqueue;
    /// Workspace that a call needs, and its launches, whose time with empty kernels is the floor. A plan without
    /// launches has no floor.
    LaunchPlan plan;
    bool is_judged = true;          ///< results are compared with the reference, by the plan's error bound
    bool overwrites_input = false;  ///< every call gets an input of its own, which is written anew before each sample
    KernelResources resources;
};

/// All launches of a loaded kernel for n elements, as a program would call it.
Subject kernel_subject(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n);

/// Only the first launch of a loaded kernel. Its results are partial, so they are not judged.
Subject first_launch_subject(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n);

}  // namespace redtune::timing
