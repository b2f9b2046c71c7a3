#include "tuner/runtime/prepared_kernels.h"

#include <fmt/format.h>

#include <exception>
#include <string_view>
#include <vector>

#include "redtune/error.h"
#include "tuner/runtime/fail.h"

namespace redtune::runtime {

namespace {

std::string_view not_prepared_reason(launch::CountPlace place) {
    return place == launch::CountPlace::arguments
               ? "the stream is being captured, and the kernel for this n is not loaded; call prepare(n) before the "
                 "capture"
               : "the stream is being captured, and the kernel for an n on the device with this upper bound is not "
                 "loaded; call prepare_device_count(most) before the capture";
}

}  // namespace

PreparedKernels::PreparedKernels(const Problem& problem, const CurrentDevice& device, const ReducerOptions& options)
    : device_(device), source_(problem, device.info(), options) {}

void PreparedKernels::load(std::span<const Match> matches, launch::CountPlace place) {
    const std::lock_guard lock(mutex_);
    KernelTable& loaded = table(place);
    std::vector<launch::KernelRequest> requests;
    for (const Match& match : matches) {
        if (loaded.find(match.rule) == nullptr) requests.emplace_back(match, place);
    }
    source_.loader().prepare(requests);  // all at once, on all cores
    for (const Match& match : matches) {
        if (loaded.find(match.rule) != nullptr) continue;
        const launch::LoadedKernel kernel = source_.loader().load(launch::KernelRequest(match, place));
        check_residency(match, kernel);
        loaded.add(match.rule, kernel);
    }
}

void PreparedKernels::check_residency(const Match& match, const launch::LoadedKernel& kernel) const {
    const Launch& first = match.plan.steps[0];
    if (first.grid < 2) return;
    int blocks = 0;
    gpu::check(gpu::Driver::get().cuOccupancyMaxActiveBlocksPerMultiprocessor(
                   &blocks, kernel.kernels[static_cast<std::size_t>(first.role)], static_cast<int>(first.block),
                   first.shared_bytes),
               "ask for the occupancy of a kernel");
    // A block that waits for the others needs one of them to run beside it.
    if (static_cast<std::uint64_t>(blocks) * device_.info().sm_count < 2) {
        throw DeviceError(fmt::format("{} has room for {} blocks of this kernel at once, and two are needed",
                                      device_.info().name, blocks));
    }
}

CallStatus PreparedKernels::find_or_load(const Match& match, launch::CountPlace place, CUstream stream,
                                         const launch::LoadedKernel*& kernel) noexcept {
    kernel = table(place).find(match.rule);
    if (kernel != nullptr) return CallStatus::ok;
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    const CUresult result = gpu::Driver::get().cuStreamIsCapturing(stream, &capture);
    if (result != CUDA_SUCCESS || capture != CU_STREAM_CAPTURE_STATUS_NONE) {
        return fail(CallStatus::not_prepared, not_prepared_reason(place));
    }
    try {
        load(match, place);
    } catch (const std::exception& error) {
        return fail(CallStatus::kernel_unavailable, error.what());
    }
    kernel = table(place).find(match.rule);
    return CallStatus::ok;
}

}  // namespace redtune::runtime
