#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// The outcome of a measurement. Only a measurement that is `ok` can be a winner.
enum class Status : std::uint8_t {
    ok,
    wrong,        ///< the result differs from the reference
    implausible,  ///< faster than the bandwidth of memory or cache allows, or faster than an empty kernel
    compile_error,
    launch_error,
    throttled,     ///< the SM clock was below three quarters of its nominal rate in every sample
    fault,         ///< the kernel destroyed the CUDA context or ended the process that ran it
    timeout,       ///< no answer within the time limit
    out_of_memory  ///< device or host memory ran out
};

/// The stage of a sweep in which a measurement was taken. Later stages take more samples.
enum class Stage : std::uint8_t { screen, survivor, final };

/// The resources that a compiled kernel uses.
struct KernelResources {
    std::uint32_t registers = 0;     ///< registers per thread
    std::uint32_t shared_bytes = 0;  ///< static shared memory per block
    std::uint32_t spill_bytes = 0;   ///< bytes of spill stores and spill loads per thread

    friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

/// The device's state during a measurement. A value that could not be read is empty.
struct Circumstances {
    std::optional<std::uint32_t> sm_mhz;
    std::optional<std::uint32_t> memory_mhz;
    std::optional<std::uint32_t> temperature_c;
    std::optional<double> power_w;
    std::optional<std::uint64_t> throttle_reasons;  ///< bit mask as NVML defines it

    friend bool operator==(const Circumstances&, const Circumstances&) = default;
};

/// A timing of a candidate at one size. Times are microseconds per call.
struct Measurement {
    Status status = Status::ok;
    Stage stage = Stage::screen;
    std::string reason;              ///< if status is not ok: the expected and the actual outcome; else empty
    std::vector<double> samples_us;  ///< in the order in which they were taken, without the rejected samples
    double median_us = 0;
    double interquartile_us = 0;
    double minimum_us = 0;
    std::uint32_t rejected = 0;          ///< samples that were discarded because the clock was throttled
    std::uint32_t calls_per_sample = 0;  ///< K: a sample is the time of K calls divided by K
    double floor_us = 0;                 ///< time of the same launches with empty kernels
    KernelResources resources;
    Circumstances circumstances;
    std::string measured_at;       ///< time in ISO 8601, UTC
    std::string data = "uniform";  ///< name of the input's data (tuner/timing/data.h)

    friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// Sets median, interquartile range and minimum of the measurement from its samples.
void summarise(Measurement& measurement);

/// Returns whether a trial with this status took the process that measured it down, or might do so: fault, timeout and
/// out_of_memory. Such a trial is not run again at the size at which it failed.
bool is_harmful(Status status) noexcept;

std::string_view to_string(Status status) noexcept;
std::string_view to_string(Stage stage) noexcept;
Status parse_status(std::string_view name);
Stage parse_stage(std::string_view name);

}  // namespace redtune
