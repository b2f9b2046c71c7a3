#include "tuner/lookup/residency.h"

#include <algorithm>

namespace redtune::lookup {

namespace {

// These limits hold for every compute capability from 7.5 to 12.x: "Compute Capabilities" in the CUDA Programming
// Guide.
constexpr std::uint32_t max_threads_per_block = 1024;
constexpr std::uint32_t max_registers_per_thread = 255;
constexpr std::uint32_t registers_of_launch_bounds = 65536;
constexpr std::uint32_t register_granularity = 8;  ///< registers per thread are allocated in steps of 8

/// SMs that the blocks of one cluster can be spread over: a cluster of 8 blocks is the largest that every device with
/// clusters can run, even if each block fills an SM.
constexpr std::uint32_t sms_of_a_cluster = 8;

std::uint32_t blocks_per_sm(const BlockResources& block, const DeviceInfo& device) noexcept {
    if (block.threads == 0 || block.threads > max_threads_per_block) return 0;
    const std::uint32_t registers =
        (block.registers + register_granularity - 1) / register_granularity * register_granularity * block.threads;
    std::uint32_t blocks = device.max_threads_per_sm / block.threads;
    if (registers > 0) blocks = std::min(blocks, device.max_registers_per_block / registers);
    // An SM has at least the shared memory that one block can have.
    if (block.shared_bytes > 0) blocks = std::min(blocks, device.max_shared_bytes_per_block / block.shared_bytes);
    return blocks;
}

}  // namespace

std::uint32_t most_registers(std::uint32_t threads) noexcept {
    const std::uint32_t of_block = registers_of_launch_bounds / std::max(threads, 1U);
    return std::min(max_registers_per_thread, of_block / register_granularity * register_granularity);
}

std::uint64_t resident_blocks(const BlockResources& block, const DeviceInfo& device) noexcept {
    const std::uint64_t per_sm = blocks_per_sm(block, device);
    if (block.cluster <= 1) return per_sm * device.sm_count;
    const std::uint64_t sms = std::min(device.sm_count, sms_of_a_cluster);
    const std::uint64_t groups = device.sm_count / std::max<std::uint64_t>(sms, 1);
    return per_sm * sms / block.cluster * groups * block.cluster;
}

}  // namespace redtune::lookup
