#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"

namespace redtune::gpu {

/// A device of this machine. What NVML alone can tell is empty where NVML is missing.
struct Device {
    int ordinal = 0;  ///< what CUDA calls it in this process
    DeviceInfo info;
    std::string driver_version;  ///< "580.159.04"; empty where nothing tells
    int cuda_version = 0;        ///< the newest CUDA that the driver supports: 13000
    std::optional<std::uint32_t> max_sm_mhz;
    std::optional<std::uint32_t> max_memory_mhz;
    std::optional<bool> ecc;
    std::optional<bool> mig;
    Circumstances now;  ///< when it was listed
};

/// All devices that CUDA shows to this process (CUDA_VISIBLE_DEVICES counts). Empty without a driver or a device;
/// why_no_device() then says why.
/// @throws DeviceError if a device that is there cannot be asked.
std::vector<Device> list_devices();

/// Why list_devices() is empty, in words; empty where it is not.
std::string why_no_device();

/// @throws DeviceError with the ordinals there are.
Device device_at(int ordinal);

/// Whether the driver's library is here and complete, with or without a device.
bool is_driver_installed();
/// The version of the NVIDIA driver, "580.159.04"; empty where neither NVML nor the kernel tells.
std::string driver_version();
/// The newest CUDA that the driver supports, 13000 for 13.0; 0 where there is no driver.
int driver_cuda_version();

/// "1g.18gb" of "NVIDIA H200 MIG 1g.18gb"; empty for a whole card.
std::string mig_profile(std::string_view device_name);

/// Memory bandwidth in 1e9 bytes per second: two transfers per clock. 0 where one figure is.
double peak_gb_per_s(double memory_mhz, double bus_width_bits);

}  // namespace redtune::gpu
