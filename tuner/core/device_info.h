#pragma once

#include <cstdint>
#include <string>

namespace redtune {

/// A device: the key it is stored under, the limits that candidates depend on, and further facts that are recorded.
struct DeviceInfo {
    // The key. It names the hardware, not the device's number on this machine.
    std::string name;       ///< as the driver reports it: "NVIDIA H200"
    int compute_major = 0;  ///< compute capability 9.0: 9
    int compute_minor = 0;  ///<                         0
    std::uint32_t sm_count = 0;
    std::uint64_t memory_bytes = 0;  ///< compared in whole GiB, because drivers reserve different amounts
    std::uint64_t l2_bytes = 0;
    std::string mig_profile;  ///< empty: the device is not a MIG slice

    // Limits.
    std::uint32_t max_threads_per_sm = 2048;
    std::uint32_t max_shared_bytes_per_block = 48 << 10;  ///< static and dynamic together, with the kernel's opt-in

    // Recorded, but not part of the key.
    std::string uuid;
    double peak_gb_per_s = 0;  ///< memory clock x bus width x 2, in 1e9 bytes per second; 0: unknown

    std::uint64_t memory_gib() const { return (memory_bytes + (std::uint64_t{1} << 29)) >> 30; }
    std::string compute_capability() const {
        return std::to_string(compute_major) + "." + std::to_string(compute_minor);
    }
    /// Returns the architecture as NVRTC names it: "sm_90".
    std::string architecture() const { return "sm_" + std::to_string(compute_major) + std::to_string(compute_minor); }
};

/// The versions of the software that compiled and ran a kernel.
struct ToolchainInfo {
    std::string redtune_version;
    std::string nvrtc_version;   ///< "13.0"
    std::string driver_version;  ///< "580.159.04"

    friend bool operator==(const ToolchainInfo&, const ToolchainInfo&) = default;
};

}  // namespace redtune
