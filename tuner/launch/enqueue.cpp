#include "tuner/launch/enqueue.h"

#include "tuner/gpu/launch.h"

namespace redtune::launch {

namespace {

/// Arguments of kernels_src/problem.cuh, member by member.
struct Arguments {
    CUdeviceptr input;
    CUdeviceptr second;
    std::uint64_t n;
    std::uint64_t row_length;
    std::uint64_t count;
    CUdeviceptr output;
    CUdeviceptr header;
    CUdeviceptr slots;
};

void launch_step(CUfunction function, const Launch& step, Arguments arguments, CUstream stream) {
    void* pointers[] = {&arguments};
    gpu::launch(function, {step.grid, 1, 1}, {step.block, 1, 1}, step.shared_bytes, stream, pointers,
                {step.cluster, step.pdl});
}

}  // namespace

void enqueue(const LoadedKernel& kernel, const LaunchPlan& plan, const InputArrays& input, CUdeviceptr output,
             CUdeviceptr workspace, CUstream stream) {
    const CUdeviceptr slots = workspace + LaunchPlan::header_bytes;
    for (const Launch& step : plan.launches()) {
        const bool reads_input = step.role == KernelRole::first;
        const Arguments arguments{reads_input ? input.first : slots + step.read_slot * plan.slot_bytes,
                                  input.second,
                                  step.n,
                                  step.row_length,
                                  plan.elements_per_result,
                                  output,
                                  workspace,
                                  slots + step.write_slot * plan.slot_bytes};
        launch_step(kernel.kernels[static_cast<std::size_t>(step.role)], step, arguments, stream);
    }
}

LaunchPlan without_leading_pdl(LaunchPlan plan) {
    plan.steps[0].pdl = false;
    return plan;
}

void enqueue_empty(CUfunction empty, const LaunchPlan& plan, CUstream stream) {
    for (const Launch& step : plan.launches()) launch_step(empty, step, {}, stream);
}

}  // namespace redtune::launch
