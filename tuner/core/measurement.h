#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// How a measurement ended. Only `ok` can win.
enum class Status : std::uint8_t {
    ok,
    wrong,        ///< the result differs from the reference
    implausible,  ///< faster than the memory, the cache or an empty kernel can be
    compile_error,
    launch_error,
    throttled  ///< no sample at three quarters of the nominal clock or more
};

/// The part of a sweep that a measurement belongs to. Later stages take more samples.
enum class Stage : std::uint8_t { screen, survivor, final };

/// Resources of a compiled kernel.
struct KernelResources {
    std::uint32_t registers = 0;     ///< per thread
    std::uint32_t shared_bytes = 0;  ///< static, per block
    std::uint32_t spill_bytes = 0;   ///< stores + loads, per thread
};

/// The device's state during a measurement; a value is empty where it could not be read.
struct Circumstances {
    std::optional<std::uint32_t> sm_mhz;
    std::optional<std::uint32_t> memory_mhz;
    std::optional<std::uint32_t> temperature_c;
    std::optional<double> power_w;
    std::optional<std::uint64_t> throttle_reasons;  ///< NVML's bit mask
};

/// A timing of a candidate at one size. Times are microseconds per call.
struct Measurement {
    Status status = Status::ok;
    Stage stage = Stage::screen;
    std::string reason;              ///< where status is not ok: the expected and the actual outcome
    std::vector<double> samples_us;  ///< in the order they were taken, without rejected ones
    double median_us = 0;
    double interquartile_us = 0;
    double minimum_us = 0;
    std::uint32_t rejected = 0;          ///< samples that were discarded because the clock was throttled
    std::uint32_t calls_per_sample = 0;  ///< K: one sample is the time of K calls, divided by K
    double floor_us = 0;                 ///< time of the same launches with empty kernels
    KernelResources resources;
    Circumstances circumstances;
    std::string measured_at;  ///< ISO 8601 in UTC
};

/// Computes median, interquartile range and minimum from the samples.
void summarise(Measurement& measurement);

std::string_view to_string(Status status) noexcept;
std::string_view to_string(Stage stage) noexcept;
Status parse_status(std::string_view name);
Stage parse_stage(std::string_view name);

}  // namespace redtune
