#pragma once

#include <cstdint>

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// The dimensions of a grid in blocks, or of a block in threads.
struct Extent {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
};

/// The launch attributes that redtune uses.
struct LaunchAttributes {
    std::uint32_t cluster = 1;  ///< blocks per cluster in x, a divisor of the grid's x; 1: no clusters
    bool pdl = false;  ///< programmatic dependent launch: may start before the previous kernel in the stream has ended
};

/// Returns the driver's result of launch(), and does not throw.
CUresult try_launch(CUfunction function, Extent grid, Extent block, std::uint32_t shared_bytes, CUstream stream,
                    void** arguments, const LaunchAttributes& attributes = {}) noexcept;

/// Enqueues a kernel. `shared_bytes` is dynamic shared memory per block. `arguments` points to the arguments in order,
/// which are copied before the function returns.
/// @throws DeviceError naming grid, block, shared memory and cluster.
void launch(CUfunction function, Extent grid, Extent block, std::uint32_t shared_bytes, CUstream stream,
            void** arguments, const LaunchAttributes& attributes = {});

}  // namespace redtune::gpu
