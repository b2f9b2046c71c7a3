#pragma once

#include <cstdint>
#include <optional>

#include "redtune/problem.h"
#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// A trial to measure.
struct TrialRequest {
    const Trial* trial = nullptr;
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    Stage stage = Stage::screen;
    double best_us = 0;             ///< the best median of its cell so far (0: none); see Executor::measure()
    bool skips_hard_sizes = false;  ///< see Executor::skip_hard_sizes()
    bool is_compiled = false;       ///< the kernels are in the cache
};

/// Where an executor gets the trials to measure, and to which it gives their measurements.
class TrialQueue {
  public:
    virtual ~TrialQueue() = default;
    /// Returns the next trial to measure; nullopt if there is none for now.
    virtual std::optional<TrialRequest> next() = 0;
    /// Takes the measurement of the first trial that next() returned and that has none yet.
    /// @param is_device_busy whether the device measures another trial meanwhile
    virtual void report(Measurement measurement, bool is_device_busy) = 0;
    /// Returns whether no further trial will come, even if more kernels are compiled.
    virtual bool is_over() { return false; }
};

}  // namespace redtune::search
