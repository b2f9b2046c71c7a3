#include "tuner/launch/enqueue.h"

#include "tuner/gpu/launch.h"

namespace redtune::launch {

namespace {

void launch_step(CUfunction function, const Launch& step, Arguments arguments, CUstream stream) {
    void* pointers[] = {&arguments};
    gpu::launch(function, {step.grid, 1, 1}, {step.block, 1, 1}, step.shared_bytes, stream, pointers,
                {step.cluster, step.pdl});
}

}  // namespace

void enqueue(const LoadedKernel& kernel, const LaunchPlan& plan, const InputArrays& input, CUdeviceptr output,
             CUdeviceptr workspace, CUstream stream) {
    for (const Launch& step : plan.launches()) {
        launch_step(kernel.kernels[static_cast<std::size_t>(step.role)], step,
                    arguments_of(plan, step, input, output, WorkspaceParts::of(workspace)), stream);
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
