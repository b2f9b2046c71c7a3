#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tuner/core/measurement.h"

namespace redtune::gpu {

struct NvmlEntries;

/// NVIDIA's management library (libnvidia-ml.so.1), opened on first use and kept open until the program ends. redtune
/// uses it only to read values; it sets no clock and no mode. Every function is thread-safe.
class Nvml {
  public:
    /// Returns the library; nullptr if it is missing or cannot be initialised.
    static const Nvml* find();
    /// Returns why find() returns nullptr, as a phrase for a message; empty if it returns the library.
    static const std::string& why_missing();

    /// Returns the driver's version, "580.159.04"; empty if NVML does not report it.
    std::string driver_version() const;

  private:
    friend class NvmlDevice;
    struct Search;
    explicit Nvml(const NvmlEntries& entries) : entries_(entries) {}
    static const Search& search();

    const NvmlEntries& entries_;
};

/// A device as NVML sees it. A value is empty if NVML is missing, or does not know the device or the value. No function
/// throws.
class NvmlDevice {
  public:
    /// `uuid` is as nvidia-smi prints it: "GPU-..." or "MIG-...".
    explicit NvmlDevice(const std::string& uuid);

    bool is_known() const noexcept { return device_ != nullptr; }
    /// Returns clocks, temperature, power and throttle reasons at this moment. Takes about a millisecond.
    Circumstances read() const;

    /// Returns the highest SM clock in MHz, against which samples are compared to detect throttling.
    std::optional<std::uint32_t> nominal_sm_mhz() const;
    std::optional<std::uint32_t> max_memory_mhz() const;
    std::optional<std::uint32_t> bus_width_bits() const;
    std::optional<bool> ecc_enabled() const;
    std::optional<bool> mig_enabled() const;

  private:
    // The NVML handle of the whole GPU, also for a MIG slice, which has no clocks, power or temperature of its own.
    void* device_ = nullptr;
};

}  // namespace redtune::gpu
