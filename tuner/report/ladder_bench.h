#pragma once

#include <cstdint>
#include <span>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"
#include "tuner/search/executor.h"

namespace redtune::report {

/// The interface through which a ladder is measured, in the cold regime. `redtune ladder` implements it with a GPU;
/// tests implement it with invented times. Not thread-safe.
class LadderBench {
  public:
    virtual ~LadderBench() = default;

    virtual const DeviceInfo& device() const = 0;

    /// Begins a ladder: later calls measure this problem with n elements.
    /// @throws InputError with the reason if the size cannot be measured; DeviceError
    virtual void begin(const Problem& problem, std::uint64_t n) = 0;

    /// Compiles and loads the kernels that the trials need. A trial that does not compile fails when it is measured.
    /// @throws DeviceError
    virtual void prepare(std::span<const Trial> trials) = 0;

    /// Times one call of the whole reduction. Stage::screen also checks its results.
    /// @throws DeviceError if the device itself is lost.
    virtual Measurement measure_call(const Trial& trial, Stage stage) = 0;

    /// Times the first kernel alone, with as many samples as a survivor. Its results are not checked.
    /// @throws DeviceError if the device itself is lost.
    virtual Measurement measure_first_kernel(const Trial& trial) = 0;
};

}  // namespace redtune::report
