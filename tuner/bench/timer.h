#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/bench/plausibility.h"
#include "tuner/bench/replay.h"
#include "tuner/core/device_info.h"
#include "tuner/gpu/nvml.h"

namespace redtune::bench {

/// How long a candidate is sampled.
struct Precision {
    double replay_us = 0;  ///< least time of a replay
    int min_samples = 0;
    int max_samples = 0;
    double interval = 0;  ///< stop when the 95 % interval of the median is this part of it
    double best_us = 0;   ///< stop when hopeless beside this; 0: never
};

/// Takes times on the current device, by the rules of docs/method.md. Not thread-safe.
class Timer {
  public:
    Timer(const FixedKernels& kernels, Inputs& inputs, const Problem& problem, const DeviceInfo& device,
          const gpu::NvmlDevice& nvml, gpu::Stream& stream);

    /// Times one candidate. Status ok, wrong (results of the timed calls), implausible or throttled. A candidate that
    /// overwrites its input gets a fresh one for each call, made before the sample begins. One that is hopeless beside
    /// precision.best_us has the samples that showed it, and no floor.
    Measurement measure(const Runnable& runnable, std::uint64_t n, Regime regime, const Precision& precision,
                        Part part = Part::call);

    /// The measurement of a candidate that is given up after a call of this time: its only sample.
    Measurement give_up(const Runnable& runnable, double call_us) const;

    /// Times candidates in `final_rounds` rounds of alternating order, one sample of each a round; sample i of one
    /// was taken beside sample i of every other.
    std::vector<Measurement> interleave(std::span<const Runnable> runnables, std::uint64_t n, Regime regime);

  private:
    TimingPlan plan(const Runnable& runnable, std::uint64_t n, Regime regime, double replay_us) const;
    bool take_sample(Replay& replay, Measurement& measurement, std::vector<double>& rejected);
    void close(Measurement& measurement, const Runnable& runnable, std::uint64_t n, Regime regime, std::uint32_t calls,
               std::vector<double> rejected) const;
    void describe(Measurement& measurement, const Runnable& runnable, std::uint32_t calls) const;
    double floor_us(const LaunchPlan& plan, std::uint32_t calls);
    double measure_l2_gb_per_s();
    void spin_up();

    const FixedKernels& kernels_;
    Inputs& inputs_;
    Problem problem_;
    DeviceInfo device_;
    const gpu::NvmlDevice& nvml_;
    gpu::Stream& stream_;
    gpu::DeviceBuffer flush_;
    ReplaySite site_;
    std::map<std::vector<std::uint32_t>, double> floors_;
    double nominal_mhz_ = 0;  ///< 0: unknown, no sample is rejected
    Ceilings ceilings_;
};

}  // namespace redtune::bench
