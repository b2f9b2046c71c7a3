#pragma once

#include <cstdint>

#include "redtune/device.h"

namespace redtune::lookup {

/// The resources of one block of a kernel that was perhaps never compiled for the device.
struct BlockResources {
    std::uint32_t threads = 0;
    std::uint32_t registers = 0;     ///< per thread; an upper bound
    std::uint32_t shared_bytes = 0;  ///< static plus dynamic; an upper bound
    std::uint32_t cluster = 1;       ///< blocks per cluster
};

/// Returns the registers per thread that a kernel of so many threads per block can have at most, because
/// `__launch_bounds__` makes the compiler fit one block into the registers of an SM.
std::uint32_t most_registers(std::uint32_t threads) noexcept;

/// Returns how many blocks are resident at once on the whole device, at least. For clusters it is a multiple of the
/// cluster's size. The result is 0 if the device cannot run the kernel.
std::uint64_t resident_blocks(const BlockResources& block, const DeviceInfo& device) noexcept;

}  // namespace redtune::lookup
