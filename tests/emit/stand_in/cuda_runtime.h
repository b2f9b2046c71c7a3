// The names of the CUDA runtime that emitted C++ code uses, with the same layout as far as the code can tell. Launches
// are recorded instead of made. One translation unit of a library includes this header.
#pragma once

#include <string.h>

#include "recorded_launch.h"

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
using cudaStream_t = struct StandInStream*;

struct dim3 {
    unsigned x;
    unsigned y;
    unsigned z;
    dim3(unsigned width = 1) : x(width), y(1), z(1) {}  // NOLINT: as CUDA's
};

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeProgrammaticStreamSerialization
};
struct ClusterDimension {
    unsigned x;
    unsigned y;
    unsigned z;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    union {
        ClusterDimension clusterDim;
        int programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim;
    dim3 blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize, cudaFuncAttributeNonPortableClusterSizeAllowed };

extern "C" {
Recording recording;
int current_device;
uint32_t limits_set;    // calls of cudaFuncSetAttribute
uint32_t shared_limit;  // the latest value of MaxDynamicSharedMemorySize
}

inline cudaError_t cudaGetDevice(int* device) {
    *device = current_device;
    return cudaSuccess;
}

inline cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute attribute, int value) {
    ++limits_set;
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) shared_limit = static_cast<uint32_t>(value);
    return cudaSuccess;
}

inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    if (recording.next_error != 0) return static_cast<cudaError_t>(recording.next_error);
    RecordedLaunch& launch = recording.launches[recording.launch_count++ % most_recorded_launches];
    launch = {};
    launch.kernel = reinterpret_cast<uint64_t>(kernel);
    launch.grid = config->gridDim.x * config->gridDim.y * config->gridDim.z;
    launch.block = config->blockDim.x * config->blockDim.y * config->blockDim.z;
    launch.cluster = 1;
    launch.shared_bytes = static_cast<uint32_t>(config->dynamicSmemBytes);
    launch.stream = reinterpret_cast<uint64_t>(config->stream);
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        if (attribute.id == cudaLaunchAttributeClusterDimension) {
            launch.cluster = attribute.val.clusterDim.x * attribute.val.clusterDim.y * attribute.val.clusterDim.z;
        } else {
            launch.pdl = static_cast<uint32_t>(attribute.val.programmaticStreamSerializationAllowed);
        }
    }
    memcpy(launch.arguments, arguments[0], sizeof(launch.arguments));
    return cudaSuccess;
}
