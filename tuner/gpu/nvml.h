#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tuner/core/measurement.h"

namespace redtune::gpu {

struct NvmlEntries;

/// NVIDIA's management library (libnvidia-ml.so.1), opened on first use and kept until the program ends. It only
/// watches; nothing here sets a clock or a mode. Every function is thread-safe.
class Nvml {
  public:
    /// nullptr where there is none, or it does not start.
    static const Nvml* find();
    /// Why find() is empty, in words; empty where it is not.
    static const std::string& why_missing();

    /// "580.159.04"; empty where NVML does not tell.
    std::string driver_version() const;

  private:
    friend class NvmlDevice;
    struct Search;
    explicit Nvml(const NvmlEntries& entries) : entries_(entries) {}
    static const Search& search();

    const NvmlEntries& entries_;
};

/// A device as NVML sees it. Without NVML, or where it does not know the device or a figure, the answer is empty:
/// nothing here throws.
class NvmlDevice {
  public:
    /// "GPU-..." or "MIG-..." as nvidia-smi prints it.
    explicit NvmlDevice(const std::string& uuid);

    bool is_known() const noexcept { return device_ != nullptr; }
    /// Clocks, temperature, power and throttle reasons at this moment. Takes about a millisecond.
    Circumstances read() const;

    /// The highest SM clock in MHz: what a sample is compared with to tell throttling.
    std::optional<std::uint32_t> nominal_sm_mhz() const;
    std::optional<std::uint32_t> max_memory_mhz() const;
    std::optional<std::uint32_t> bus_width_bits() const;
    std::optional<bool> ecc_enabled() const;
    std::optional<bool> mig_enabled() const;

  private:
    // Of the whole card: a MIG slice has no clocks, power or temperature of its own.
    void* device_ = nullptr;
};

}  // namespace redtune::gpu
