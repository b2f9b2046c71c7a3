#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tuner/core/device_info.h"
#include "tuner/gpu/nvml.h"
#include "tuner/timing/constants.h"
#include "tuner/timing/floors.h"
#include "tuner/timing/plausibility.h"
#include "tuner/timing/time_account.h"
#include "tuner/timing/timed_graph.h"

namespace redtune::timing {

/// The limits within which one subject is sampled.
struct Precision {
    double graph_us = 0;  ///< minimum time of a graph
    int min_samples = 0;
    int max_samples = 0;
    double interval = 0;     ///< stop as soon as the 95 % interval of the median is at most this fraction of it
    double best_us = 0;      ///< best median so far, against which is_hopeless() compares; 0: never stop early
    bool with_floor = true;  ///< measure Measurement::floor_us, too
};

/// The rounds in which several subjects are sampled in turn.
struct Rounds {
    int count = final_rounds;
    double graph_us = long_graph_us;  ///< minimum time of a graph
};

/// Times subjects on the current device, by the method of docs/method.md. Not thread-safe.
class Timer {
  public:
    /// The constructor keeps the device busy until its SM clock has risen, and measures the bandwidth of L2.
    /// @param account counts the time of the checks and preparations that are part of a timing; null: nothing does
    Timer(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, const DeviceInfo& device,
          const gpu::NvmlDevice& nvml, gpu::Stream& stream, TimeAccount* account = nullptr);

    /// Times one subject. The status is ok, wrong (results of the timed calls), implausible or throttled. If the
    /// subject is stopped early, the measurement has the samples that were taken, and no floor.
    /// @param captured what capture_ahead() returned for the same subject, cell and precision; empty: the graph is
    /// captured now
    Measurement measure(const Subject& subject, const Cell& cell, const Precision& precision,
                        std::optional<TimedGraph> captured = std::nullopt);

    /// Makes room for what measure() of this subject writes. Graphs captured before may no longer be used if that moves
    /// the buffers.
    void reserve(const Subject& subject, const Cell& cell, const Precision& precision);

    /// Captures the graph of a later call of measure(). Another thread may call it during measure() of a subject for
    /// which reserve() was called.
    /// @return empty if the buffers have no room for the subject
    std::optional<TimedGraph> capture_ahead(const Subject& subject, const Cell& cell, const Precision& precision);

    /// Returns the measurement of a kernel that is stopped early, whose only sample is one call of this time.
    Measurement early_stopped_measurement(const KernelResources& resources, double call_us) const;

    /// Times subjects in rounds of alternating order (A B C, then C B A), one sample of each a round. All use one
    /// workspace and the same inputs. A rejected sample is taken again at once, so samples with the same index were
    /// taken one after another. This holds only for subjects with rounds.count samples: after max_rejected rejections a
    /// subject gets no sample in a round in which it is rejected. Statuses are those of measure(); a subject whose
    /// first results are wrong has no samples.
    std::vector<Measurement> interleave(std::span<const Subject> subjects, const Cell& cell, const Rounds& rounds = {});

  private:
    /// A subject while it is being sampled.
    struct Sampling;

    TimingPlan plan(const Subject& subject, const Cell& cell, double graph_us) const;
    OutputSets sets(const Subject& subject, const Cell& cell, double graph_us) const;
    TimedGraph prepare(const Subject& subject, const Cell& cell, const TimingPlan& timing,
                       std::optional<TimedGraph> captured);
    TimedGraph capture(const Subject& subject, const Cell& cell, double graph_us, gpu::Stream& capturing);
    Sampling start(const Subject& subject, const Cell& cell, double graph_us, std::optional<TimedGraph> captured,
                   const std::function<void()>& meanwhile = {});
    bool take_sample(Sampling& sampling) const;
    Measurement finish(Sampling sampling, const Subject& subject, const Cell& cell) const;
    void add_statistics_and_circumstances(Measurement& measurement, const KernelResources& resources,
                                          std::uint32_t calls) const;
    double measure_l2_gb_per_s();
    void warm_up();

    TimingContext context_;
    DeviceInfo device_;
    const gpu::NvmlDevice& nvml_;
    TimeAccount* account_;
    TimingBuffers buffers_;
    gpu::Stream ahead_;  ///< captures for capture_ahead(), while context_.stream may be in use
    Floors floors_;
    double nominal_mhz_ = 0;  ///< 0: unknown, no sample is rejected
    Ceilings ceilings_;
};

}  // namespace redtune::timing
