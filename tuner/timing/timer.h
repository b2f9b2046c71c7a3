#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/core/device_info.h"
#include "tuner/gpu/nvml.h"
#include "tuner/timing/plausibility.h"
#include "tuner/timing/timed_graph.h"

namespace redtune::timing {

/// How long a candidate is sampled.
struct Precision {
    double graph_us = 0;  ///< least time of a graph
    int min_samples = 0;
    int max_samples = 0;
    double interval = 0;  ///< stop when the 95 % interval of the median is this part of it
    double best_us = 0;   ///< stop when hopeless beside this; 0: never
};

/// Takes times on the current device, by the rules of docs/method.md. Not thread-safe.
class Timer {
  public:
    Timer(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, const DeviceInfo& device,
          const gpu::NvmlDevice& nvml, gpu::Stream& stream);

    /// Times one candidate. Status ok, wrong (results of the timed calls), implausible or throttled. A candidate that
    /// overwrites its input gets a fresh one for each call, made before the sample begins. One that is hopeless beside
    /// precision.best_us has the samples that showed it, and no floor.
    Measurement measure(const launch::LoadedKernel& loaded_kernel, std::uint64_t n, Regime regime,
                        const Precision& precision, Part part = Part::call);

    /// The measurement of a candidate that is given up after a call of this time: its only sample.
    Measurement stop_early(const launch::LoadedKernel& loaded_kernel, double call_us) const;

    /// Times candidates in `final_rounds` rounds of alternating order, one sample of each a round; sample i of one
    /// was taken beside sample i of every other.
    std::vector<Measurement> interleave(std::span<const launch::LoadedKernel> loaded_kernels, std::uint64_t n,
                                        Regime regime);

  private:
    TimingPlan plan(const launch::LoadedKernel& loaded_kernel, std::uint64_t n, Regime regime, double graph_us) const;
    bool take_sample(TimedGraph& graph, Measurement& measurement, std::vector<double>& rejected);
    void close(Measurement& measurement, const launch::LoadedKernel& loaded_kernel, std::uint64_t n, Regime regime,
               std::uint32_t calls, std::vector<double> rejected) const;
    void describe(Measurement& measurement, const launch::LoadedKernel& loaded_kernel, std::uint32_t calls) const;
    double floor_us(const LaunchPlan& plan, std::uint32_t calls);
    double measure_l2_gb_per_s();
    void spin_up();

    const SupportKernels& kernels_;
    Inputs& inputs_;
    Problem problem_;
    DeviceInfo device_;
    const gpu::NvmlDevice& nvml_;
    gpu::Stream& stream_;
    gpu::DeviceBuffer flush_;
    TimingBuffers site_;
    std::map<std::vector<std::uint32_t>, double> floors_;
    double nominal_mhz_ = 0;  ///< 0: unknown, no sample is rejected
    Ceilings ceilings_;
};

}  // namespace redtune::timing
