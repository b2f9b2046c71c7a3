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

/// The calls that the timer can time: a reduction by this project's kernels or by a library, or a probe that computes
/// no result.
struct Subject {
    /// Enqueues call number `call` of a sample. The function is called while a graph is captured, so it must not
    /// allocate or synchronise.
    std::function<void(std::uint32_t call, const CallBuffers& buffers, CUstream stream)> enqueue;
    /// The launches of a call, and the workspace that it needs. The floor is the time of the same launches with empty
    /// kernels; a plan without launches has no floor.
    LaunchPlan plan;
    bool is_judged = true;          ///< whether results are compared with the reference, within the plan's error bound
    bool reads_input = true;        ///< false: the subject reads only part of its input, so its bandwidth is not judged
    bool overwrites_input = false;  ///< each call gets an input of its own, which is restored before each sample
    KernelResources resources;
};

/// Returns a subject that makes all launches of a loaded kernel for n elements, as a program would.
Subject kernel_subject(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n);

/// Returns a subject that makes only the first launch of a loaded kernel. Its results are partial, so they are not
/// judged.
Subject first_launch_subject(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n);

}  // namespace redtune::timing
