#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"

namespace redtune::gpu {

/// A device of this machine. Values that only NVML knows are empty if NVML is missing.
struct Device {
    int ordinal = 0;  ///< CUDA's number for the device in this process
    DeviceInfo info;
    std::string driver_version;  ///< "580.159.04"; empty if unknown
    int cuda_version = 0;        ///< the newest CUDA version that the driver supports, 13000 for 13.0
    std::optional<std::uint32_t> max_sm_mhz;
    std::optional<std::uint32_t> max_memory_mhz;
    std::optional<bool> ecc;  ///< whether error correction of the memory is on
    std::optional<bool> mig;  ///< whether the GPU is in MIG mode
    Circumstances now;        ///< clocks, temperature and power when the device was listed
};

/// Returns the devices that CUDA shows to this process, which CUDA_VISIBLE_DEVICES can limit. Empty without a driver or
/// a device; why_no_device() then says why.
/// @throws DeviceError if a device cannot be queried.
std::vector<Device> list_devices();

/// Returns why list_devices() is empty, as a phrase for a message; empty if there are devices.
std::string why_no_device();

/// Returns the device with this ordinal.
/// @throws DeviceError naming the ordinals that exist.
Device device_at(int ordinal);
/// Returns device_at(ordinal).info. Does not start NVML if the driver knows all of it.
/// @throws DeviceError naming the ordinals that exist.
DeviceInfo info_at(int ordinal);

/// Returns whether the driver's library can be opened and has every function needed, with or without a device.
bool is_driver_installed();
/// Returns the version of the NVIDIA driver, "580.159.04"; empty if neither NVML nor the kernel module reports it.
std::string driver_version();
/// Returns the newest CUDA version that the driver supports, 13000 for 13.0; 0 without a driver.
int driver_cuda_version();

/// Returns the MIG profile in a device's name, "1g.18gb" for "NVIDIA H200 MIG 1g.18gb"; empty for a whole GPU.
std::string mig_profile(std::string_view device_name);

/// Returns the peak memory bandwidth in 1e9 bytes per second, with two transfers per clock; 0 if an argument is 0.
double peak_gb_per_s(double memory_mhz, double bus_width_bits);

}  // namespace redtune::gpu
