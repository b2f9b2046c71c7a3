// Entry points for devices and contexts.
#include <cstring>

#include "tests/simulated_driver/state.h"

using simulated_driver::Call;
using simulated_driver::current_device;
using simulated_driver::state;

namespace {

CUcontext context_of(int device) {
    return reinterpret_cast<CUcontext>(static_cast<std::uintptr_t>(device + 1));
}

int value_of(CUdevice_attribute attribute) {
    const simulated_driver::DeviceModel& model = state().model;
    switch (attribute) {
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
            return model.compute_major;
        case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
            return model.sm_count;
        case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
            return model.l2_bytes;
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
            return 2048;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
            return model.max_shared_bytes_per_block;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
            return model.max_shared_bytes_per_block + (1 << 10);
        case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
            return 65536;
        case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
            return model.memory_bus_bits;
        case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
            return model.memory_khz;
        default:
            return 0;
    }
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned) {
    const Call call;
    ++state().counts.initialisations;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
    *version = 13000;
    return CUDA_SUCCESS;
}

// NVRTC opens libcuda too and calls this function, which cuda.h does not declare.
CUresult cuGetExportTable(const void**, const CUuuid*) {
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuGetErrorName(CUresult error, const char** text) {
    *text = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : "CUDA_ERROR_SIMULATED";
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
    *text = error == CUDA_SUCCESS ? "no error" : "an error of the simulated driver";
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    const Call call;
    if (ordinal < 0 || ordinal >= state().device_count) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
    const Call call;
    *count = state().device_count;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice) {
    const Call call;
    std::strncpy(name, state().model.name.c_str(), static_cast<std::size_t>(length));
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
    std::memset(uuid->bytes, device, sizeof(uuid->bytes));
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) {
    const Call call;
    *bytes = state().model.memory_bytes;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
    const Call call;
    *value = value_of(attribute);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    *context = context_of(device);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    current_device() = static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 1;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
    *context = current_device() < 0 ? nullptr : context_of(current_device());
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
    if (current_device() < 0) return CUDA_ERROR_INVALID_CONTEXT;
    *device = current_device();
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
    const Call call;
    simulated_driver::break_captures("cuCtxSynchronize");
    ++state().counts.synchronisations;
    for (auto& [handle, stream] : state().streams) stream->completed = stream->submitted;
    for (auto& stream : state().destroyed_streams) stream->completed = stream->submitted;
    return CUDA_SUCCESS;
}
}
