#pragma once

#include <cstdint>

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// Blocks of a grid, or threads of a block.
struct Extent {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
};

/// How blocks and launches relate to others, where it is not as usual.
struct LaunchAttributes {
    std::uint32_t cluster = 1;  ///< blocks of a cluster in x, a divisor of the grid; 1: no clusters
    bool pdl = false;  ///< programmatic dependent launch: may start before the previous kernel in the stream has ended
};

/// Queues a kernel. `shared_bytes` is dynamic shared memory per block; `arguments` points to each argument in order
/// and is read before the return.
/// @throws DeviceError with the shape of the launch.
void launch(CUfunction function, Extent grid, Extent block, std::uint32_t shared_bytes, CUstream stream,
            void** arguments, const LaunchAttributes& attributes = {});

}  // namespace redtune::gpu
