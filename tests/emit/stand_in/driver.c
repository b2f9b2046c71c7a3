/* The functions of the CUDA driver that emitted C code calls. Launches are recorded instead of made. */
#include <cuda.h>
#include <stdlib.h>
#include <string.h>

#include "recorded_launch.h"

Recording recording;
int compute_major = 9;
int compute_minor = 0;
int has_context = 1;
int loads_before_failure = -1; /* not -1: so many modules can be loaded */
int loaded_modules;            /* modules that are loaded now */
uint32_t limits_set;           /* calls of cuFuncSetAttribute */

static CUcontext some_context(void) {
    return (CUcontext)(uintptr_t)64;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
    *context = has_context ? some_context() : NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
    return context == some_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent(CUcontext* context) {
    *context = some_context();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? compute_major : compute_minor;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    if (loads_before_failure == loaded_modules) return CUDA_ERROR_OUT_OF_MEMORY;
    ++loaded_modules;
    *module = (CUmodule)(uintptr_t)image;
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
    (void)module;
    --loaded_modules;
    return CUDA_SUCCESS;
}

/* A kernel's name is "kernel" and its index. */
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    if (module == NULL) return CUDA_ERROR_INVALID_HANDLE;
    *function = (CUfunction)(uintptr_t)(strtoul(name + strlen("kernel"), NULL, 10) + 1);
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    (void)function;
    (void)attribute;
    (void)value;
    ++limits_set;
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
    RecordedLaunch* launch = &recording.launches[recording.launch_count % most_recorded_launches];
    unsigned i;
    (void)extra;
    if (recording.next_error != 0) return (CUresult)recording.next_error;
    ++recording.launch_count;
    memset(launch, 0, sizeof(*launch));
    launch->kernel = (uintptr_t)function;
    launch->grid = config->gridDimX * config->gridDimY * config->gridDimZ;
    launch->block = config->blockDimX * config->blockDimY * config->blockDimZ;
    launch->cluster = 1;
    launch->shared_bytes = config->sharedMemBytes;
    launch->stream = (uintptr_t)config->hStream;
    for (i = 0; i < config->numAttrs; ++i) {
        const CUlaunchAttribute* attribute = &config->attrs[i];
        if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            launch->cluster = attribute->value.clusterDim.x * attribute->value.clusterDim.y * attribute->value.clusterDim.z;
        } else if (attribute->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) {
            launch->pdl = (uint32_t)attribute->value.programmaticStreamSerializationAllowed;
        }
    }
    memcpy(launch->arguments, arguments[0], sizeof(launch->arguments));
    return CUDA_SUCCESS;
}
