// Entry points for modules, kernels, launches and memsets.
#include "tests/simulated_driver/state.h"

using simulated_driver::Call;
using simulated_driver::Function;
using simulated_driver::Module;
using simulated_driver::state;
using simulated_driver::Stream;
using simulated_driver::Work;

namespace {

/// Runs the work, or records it if the stream is captured.
CUresult submit(Work work, CUstream handle) {
    Stream* stream = simulated_driver::find_stream(handle);
    if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->captured == nullptr) return run(work, *stream, stream);
    if (stream->captured->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    stream->captured->work.push_back(std::move(work));
    return CUDA_SUCCESS;
}

Work kernel_work(CUfunction function, unsigned grid, unsigned block, void** parameters) {
    Work work;
    work.kernel = reinterpret_cast<const Function*>(function)->name;
    work.module = reinterpret_cast<const Function*>(function)->module;
    work.grid = grid;
    work.block = block;
    const auto* words = static_cast<const std::uint64_t*>(parameters[0]);
    work.arguments.assign(words, words + (simulated_driver::is_counted(work) ? 9 : 8));
    return work;
}

}  // namespace

extern "C" {

CUresult cuModuleLoadData(CUmodule* handle, const void*) {
    const Call call;
    auto module = std::make_unique<Module>();
    *handle = reinterpret_cast<CUmodule>(module.get());
    state().modules[module.get()] = std::move(module);
    ++state().counts.module_loads;
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule handle) {
    const Call call;
    return state().modules.erase(handle) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
    const Call call;
    std::unique_ptr<Function>& held = reinterpret_cast<Module*>(handle)->functions[name];
    if (held == nullptr) held = std::make_unique<Function>(Function{name, handle});
    *function = reinterpret_cast<CUfunction>(held.get());
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction) {
    *value = 0;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) {
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int threads, std::size_t) {
    *blocks = 2048 / threads;
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid, unsigned, unsigned, unsigned block, unsigned, unsigned,
                        unsigned, CUstream stream, void** parameters, void**) {
    const Call call;
    return submit(kernel_work(function, grid, block, parameters), stream);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void**) {
    const Call call;
    return submit(kernel_work(function, config->gridDimX, config->blockDimX, parameters), config->hStream);
}

CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t bytes, CUstream stream) {
    const Call call;
    Work work;
    work.is_memset = true;
    work.address = address;
    work.bytes = bytes;
    work.value = value;
    return submit(work, stream);
}
}
