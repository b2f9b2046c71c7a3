#pragma once

#include <cstdint>
#include <span>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"
#include "tuner/search/executor.h"

namespace redtune::report {

/// The seam between a ladder and what takes its times. Inputs are read cold. Not thread-safe.
class LadderBench {
  public:
    virtual ~LadderBench() = default;

    virtual const DeviceInfo& device() const = 0;

    /// Begins a ladder: what follows is about this problem at n elements.
    /// @throws InputError with the reason for a size that cannot be measured; DeviceError
    virtual void begin(const Problem& problem, std::uint64_t n) = 0;

    /// Compiles and loads all that the trials need. Candidates that do not compile fail when they are measured.
    /// @throws DeviceError
    virtual void prepare(std::span<const Trial> trials) = 0;

    /// Times the whole reduction; Stage::screen checks its results before.
    /// @throws DeviceError if the device itself is lost.
    virtual Measurement measure_call(const Trial& trial, Stage stage) = 0;

    /// Times the first kernel alone, as long as a survivor. Its results are not judged.
    /// @throws DeviceError if the device itself is lost.
    virtual Measurement measure_first_kernel(const Trial& trial) = 0;
};

}  // namespace redtune::report
