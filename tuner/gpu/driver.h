#pragma once

#include <cuda.h>

#include <string>

#include "redtune/error.h"

// cuda.h of CUDA 13 maps cuStreamGetCaptureInfo to a version that drivers of CUDA 12 do not export, and does not
// declare this one.
extern "C" CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                                      CUgraph* graph, const CUgraphNode** dependencies,
                                                      std::size_t* dependency_count);

namespace redtune::gpu {

// The names are those that the driver exports, not those that cuda.h's macros map to: a program built with CUDA 13
// headers must also run on a CUDA 12 driver, which does not export cuEventElapsedTime_v2.
// clang-format off
#define REDTUNE_DRIVER_ENTRIES(entry) \
    entry(cuGetErrorName) entry(cuGetErrorString) entry(cuInit) entry(cuDriverGetVersion) entry(cuDeviceGet) \
    entry(cuDeviceGetCount) entry(cuDeviceGetName) entry(cuDeviceGetUuid_v2) entry(cuDeviceTotalMem_v2) \
    entry(cuDeviceGetAttribute) entry(cuDevicePrimaryCtxRetain) entry(cuDevicePrimaryCtxRelease_v2) \
    entry(cuCtxSetCurrent) entry(cuCtxGetCurrent) entry(cuCtxGetDevice) entry(cuCtxSynchronize) entry(cuModuleLoadData) entry(cuModuleUnload) \
    entry(cuModuleGetFunction) entry(cuFuncGetAttribute) entry(cuFuncSetAttribute) entry(cuLaunchKernel) entry(cuLaunchKernelEx) entry(cuMemGetInfo_v2) \
    entry(cuMemAlloc_v2) entry(cuMemFree_v2) entry(cuMemcpyHtoDAsync_v2) \
    entry(cuMemcpyDtoHAsync_v2) entry(cuMemcpyDtoDAsync_v2) entry(cuMemsetD8Async) entry(cuStreamCreate) entry(cuStreamDestroy_v2) \
    entry(cuStreamSynchronize) entry(cuStreamWaitEvent) entry(cuStreamBeginCapture_v2) entry(cuStreamEndCapture) entry(cuEventCreate) \
    entry(cuEventDestroy_v2) entry(cuEventRecord) entry(cuEventRecordWithFlags) entry(cuEventSynchronize) \
    entry(cuEventElapsedTime) entry(cuStreamGetId) entry(cuStreamIsCapturing) entry(cuStreamGetCaptureInfo_v2) \
    entry(cuGraphInstantiateWithFlags) entry(cuGraphLaunch) entry(cuGraphDestroy) entry(cuGraphExecDestroy) \
    entry(cuUserObjectCreate) entry(cuUserObjectRelease) entry(cuGraphRetainUserObject) \
    entry(cuOccupancyMaxActiveBlocksPerMultiprocessor)
// clang-format on

/// CUDA's driver API (libcuda.so.1), opened on first use and kept open until the program ends. The members have the
/// names of the functions of cuda.h. Every function here is thread-safe. is_installed() and cuda_version() do not
/// initialise the driver, which can take some tenths of a second; the other functions do.
struct Driver {
#define REDTUNE_DRIVER_MEMBER(name) decltype(&::name) name = nullptr;
    REDTUNE_DRIVER_ENTRIES(REDTUNE_DRIVER_MEMBER)
#undef REDTUNE_DRIVER_MEMBER

    /// Returns the initialised driver; nullptr if it is missing, too old, or sees no device.
    static const Driver* find();
    /// Returns the initialised driver. @throws DeviceError with the reason and a remedy.
    static const Driver& get();
    /// Returns why find() returns nullptr, as a phrase for a message; empty if it returns the driver.
    static const std::string& why_missing();
    /// Returns whether libcuda can be opened and has every function needed, whether or not it sees a device.
    static bool is_installed();
    /// Returns the newest CUDA version that the driver supports, 13000 for 13.0; 0 without a driver.
    static int cuda_version();
};

/// Device memory ran out.
class OutOfDeviceMemory : public DeviceError {
  public:
    using DeviceError::DeviceError;
};

/// Throws DeviceError "cannot <what>: CUDA_ERROR_... (text)" unless `result` is CUDA_SUCCESS; OutOfDeviceMemory for
/// CUDA_ERROR_OUT_OF_MEMORY. `what` is the action that was attempted: "launch a kernel".
void check(CUresult result, const char* what);

}  // namespace redtune::gpu
