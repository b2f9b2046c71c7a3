#include "tuner/gpu/launch.h"

#include <fmt/format.h>

namespace redtune::gpu {

namespace {

CUresult launch_with_attributes(const LaunchAttributes& wanted, CUfunction function, Extent grid, Extent block,
                                std::uint32_t shared_bytes, CUstream stream, void** arguments) {
    CUlaunchAttribute attributes[2] = {};
    unsigned count = 0;
    if (wanted.cluster > 1) {
        attributes[count].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attributes[count].value.clusterDim = {wanted.cluster, 1, 1};
        ++count;
    }
    if (wanted.pdl) {
        attributes[count].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        attributes[count].value.programmaticStreamSerializationAllowed = 1;
        ++count;
    }
    CUlaunchConfig config = {};
    config.gridDimX = grid.x;
    config.gridDimY = grid.y;
    config.gridDimZ = grid.z;
    config.blockDimX = block.x;
    config.blockDimY = block.y;
    config.blockDimZ = block.z;
    config.sharedMemBytes = shared_bytes;
    config.hStream = stream;
    config.attrs = attributes;
    config.numAttrs = count;
    return Driver::get().cuLaunchKernelEx(&config, function, arguments, nullptr);
}

}  // namespace

CUresult try_launch(CUfunction function, Extent grid, Extent block, std::uint32_t shared_bytes, CUstream stream,
                    void** arguments, const LaunchAttributes& attributes) noexcept {
    const bool has_none = attributes.cluster <= 1 && !attributes.pdl;
    return has_none ? Driver::get().cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                   shared_bytes, stream, arguments, nullptr)
                    : launch_with_attributes(attributes, function, grid, block, shared_bytes, stream, arguments);
}

void launch(CUfunction function, Extent grid, Extent block, std::uint32_t shared_bytes, CUstream stream,
            void** arguments, const LaunchAttributes& attributes) {
    const CUresult result = try_launch(function, grid, block, shared_bytes, stream, arguments, attributes);
    // The message is formatted only after a failure, because formatting would slow every launch.
    if (result == CUDA_SUCCESS) return;
    const std::string what = fmt::format(
        "launch {}x{}x{} blocks of {}x{}x{} threads with {} bytes of dynamic shared memory in clusters of {}", grid.x,
        grid.y, grid.z, block.x, block.y, block.z, shared_bytes, attributes.cluster);
    check(result, what.c_str());
}

}  // namespace redtune::gpu
