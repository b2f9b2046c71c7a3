#include "tuner/gpu/launch.h"

#include <fmt/format.h>

namespace redtune::gpu {

void launch(CUfunction function, Extent grid, Extent block, std::uint32_t shared_bytes, CUstream stream,
            void** arguments) {
    const CUresult result = Driver::get().cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                         shared_bytes, stream, arguments, nullptr);
    // Formatted only after a failure: launches are made by the thousand.
    if (result == CUDA_SUCCESS) return;
    const std::string what =
        fmt::format("launch {}x{}x{} blocks of {}x{}x{} threads with {} bytes of dynamic shared memory", grid.x, grid.y,
                    grid.z, block.x, block.y, block.z, shared_bytes);
    check(result, what.c_str());
}

}  // namespace redtune::gpu
