#pragma once

#include <cstdint>
#include <string>

namespace redtune {

/// A device: what identifies it, and the limits that a configuration must keep. `Catalog::find_device()` returns the
/// description of a device that was tuned or is well known; a program that has the device can fill it from the
/// attributes that CUDA reports.
struct DeviceInfo {
    // The key identifies the hardware. The device's ordinal on this machine is not part of it.
    std::string name;                ///< the driver's name: "NVIDIA H200"
    int compute_major = 0;           ///< 9 for compute capability 9.0
    int compute_minor = 0;           ///< 0 for compute capability 9.0
    std::uint32_t sm_count = 0;      ///< streaming multiprocessors
    std::uint64_t memory_bytes = 0;  ///< compared in whole GiB, because drivers reserve different amounts
    std::uint64_t l2_bytes = 0;      ///< size of the L2 cache
    std::string mig_profile;         ///< "1g.18gb"; empty: the device is not a MIG slice

    // Limits for the launches of configurations.
    std::uint32_t max_threads_per_sm = 2048;              ///< resident threads
    std::uint32_t max_shared_bytes_per_block = 48 << 10;  ///< static plus dynamic; CUDA's opt-in limit
    std::uint32_t max_registers_per_block = 65536;  ///< the same on every device of compute capability 7.5 to 12.x

    // Facts that are recorded, but are not part of the key.
    std::string uuid;          ///< of the GPU or the MIG slice; empty: unknown
    double peak_gb_per_s = 0;  ///< memory clock x bus width x 2 (DDR), in 1e9 bytes per second; 0: unknown

    /// Returns the memory size rounded to whole GiB.
    std::uint64_t memory_gib() const { return (memory_bytes + (std::uint64_t{1} << 29)) >> 30; }
    /// Returns the compute capability as text: "9.0".
    std::string compute_capability() const {
        return std::to_string(compute_major) + "." + std::to_string(compute_minor);
    }
    /// Returns the architecture in NVRTC's notation: "sm_90".
    std::string architecture() const { return "sm_" + std::to_string(compute_major) + std::to_string(compute_minor); }
};

}  // namespace redtune
