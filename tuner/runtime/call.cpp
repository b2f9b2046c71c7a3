#include "tuner/runtime/call.h"

#include <exception>

#include "tuner/gpu/launch.h"
#include "tuner/runtime/fail.h"

namespace redtune::runtime {

namespace {

/// Returns device_error, with the driver's reason.
CallStatus fail_launch(CUresult result) noexcept {
    try {
        gpu::check(result, "launch a kernel");
    } catch (const std::exception& error) {
        return fail(CallStatus::device_error, error.what());
    }
    return CallStatus::ok;
}

}  // namespace

Enqueued enqueue(const Call& call, const launch::WorkspaceParts& workspace) noexcept {
    Enqueued enqueued;
    for (const Launch& step : call.plan.launches()) {
        launch::Arguments arguments;
        launch::CountedArguments counted;
        void* parameters[] = {&arguments};
        if (call.count == nullptr) {
            arguments = launch::arguments_of(call.plan, step, call.input, call.output, workspace);
        } else {
            counted = launch::arguments_of(call.plan, step, call.input, *call.count, call.output, workspace);
            parameters[0] = &counted;
        }
        const CUfunction function = call.kernel.kernels[static_cast<std::size_t>(step.role)];
        const CUresult result = gpu::try_launch(function, {step.grid, 1, 1}, {step.block, 1, 1}, step.shared_bytes,
                                                call.stream, parameters, {step.cluster, step.pdl});
        ++enqueued.launches;
        if (result != CUDA_SUCCESS) {
            enqueued.status = fail_launch(result);
            break;
        }
    }
    return enqueued;
}

}  // namespace redtune::runtime
