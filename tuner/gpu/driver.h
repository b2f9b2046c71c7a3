#pragma once

#include <cuda.h>

#include <string>

namespace redtune::gpu {

// The names are those of the driver's exports, not of cuda.h's macros: a program built with the headers of CUDA 13
// must start on a driver of CUDA 12, whose cuEventElapsedTime has no second version.
// clang-format off
#define REDTUNE_DRIVER_ENTRIES(entry) \
    entry(cuGetErrorName) entry(cuGetErrorString) entry(cuInit) entry(cuDriverGetVersion) entry(cuDeviceGet) \
    entry(cuDeviceGetCount) entry(cuDeviceGetName) entry(cuDeviceGetUuid_v2) entry(cuDeviceTotalMem_v2) \
    entry(cuDeviceGetAttribute) entry(cuDevicePrimaryCtxRetain) entry(cuDevicePrimaryCtxRelease_v2) \
    entry(cuCtxSetCurrent) entry(cuCtxSynchronize) entry(cuModuleLoadData) entry(cuModuleUnload) \
    entry(cuModuleGetFunction) entry(cuFuncGetAttribute) entry(cuFuncSetAttribute) entry(cuLaunchKernel) entry(cuLaunchKernelEx) entry(cuMemGetInfo_v2) \
    entry(cuMemAlloc_v2) entry(cuMemFree_v2) entry(cuMemHostAlloc) entry(cuMemFreeHost) entry(cuMemcpyHtoDAsync_v2) \
    entry(cuMemcpyDtoHAsync_v2) entry(cuMemcpyDtoDAsync_v2) entry(cuMemsetD8Async) entry(cuStreamCreate) entry(cuStreamDestroy_v2) \
    entry(cuStreamSynchronize) entry(cuStreamBeginCapture_v2) entry(cuStreamEndCapture) entry(cuEventCreate) \
    entry(cuEventDestroy_v2) entry(cuEventRecord) entry(cuEventRecordWithFlags) entry(cuEventSynchronize) \
    entry(cuEventQuery) entry(cuEventElapsedTime) entry(cuGraphInstantiateWithFlags) entry(cuGraphUpload) \
    entry(cuGraphLaunch) entry(cuGraphDestroy) entry(cuGraphExecDestroy)
// clang-format on

/// CUDA's driver API (libcuda.so.1), opened on first use and kept until the program ends. Members are called as the
/// functions of cuda.h are. Every function here is thread-safe.
struct Driver {
#define REDTUNE_DRIVER_MEMBER(name) decltype(&::name) name = nullptr;
    REDTUNE_DRIVER_ENTRIES(REDTUNE_DRIVER_MEMBER)
#undef REDTUNE_DRIVER_MEMBER

    /// The initialised driver, or nullptr where there is none, it is too old, or it sees no device.
    static const Driver* find();
    /// @throws DeviceError with the reason and what to do about it.
    static const Driver& get();
    /// Why find() is empty, in words; empty where it is not.
    static const std::string& why_missing();
    /// True where libcuda is here and complete, whether or not it sees a device.
    static bool is_installed();
    /// The newest CUDA that the driver supports, as cuda.h counts (13000); 0 where there is no driver.
    static int cuda_version();
};

/// @throws DeviceError "cannot <what>: CUDA_ERROR_... (text)" unless `result` is CUDA_SUCCESS. `what` says what was
/// attempted: "launch a kernel".
void check(CUresult result, const char* what);

}  // namespace redtune::gpu
