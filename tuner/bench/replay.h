#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tuner/bench/fixed_kernels.h"
#include "tuner/bench/inputs.h"
#include "tuner/bench/runnable.h"
#include "tuner/bench/timing_plan.h"
#include "tuner/bench/workspace.h"
#include "tuner/gpu/buffer.h"
#include "tuner/gpu/graph.h"
#include "tuner/gpu/stream.h"

namespace redtune::bench {

/// One sample: the time of a call, and the SM clock right after it.
struct Sample {
    double us_per_call = 0;
    double sm_mhz = 0;
};

/// Memory and events that replays use in turn. One for all of a device: where the workspace lies, next to which slice
/// of the L2, changes the time of a small reduction by a percent, so that candidates are comparable at one place only.
struct ReplaySite {
    Workspace workspace;
    gpu::DeviceBuffer outputs;
    gpu::DeviceBuffer clock{2 * sizeof(std::uint64_t)};
    gpu::Event begin;
    gpu::Event end;
};

/// A graph of K calls of a candidate, between two events that are nodes of the graph themselves, so that no host
/// latency is in the time. The graph first zeroes the workspace, which another candidate may have used since, and for
/// cold reads a buffer of twice the L2.
class Replay {
  public:
    Replay(const FixedKernels& kernels, const Inputs& inputs, const gpu::DeviceBuffer& flush, gpu::Stream& stream,
           ReplaySite& site, const Runnable& runnable, std::uint64_t n, Regime regime, const TimingPlan& timing);

    /// Runs the graph once and waits for it.
    Sample run();

    /// Judges every result of the last run, on random values, by the error bound of the plan.
    std::optional<std::string> judge_outputs(Inputs& inputs, Type output) const;

  private:
    gpu::Stream& stream_;
    ReplaySite& site_;
    LaunchPlan plan_;
    std::uint64_t n_;
    TimingPlan timing_;
    gpu::Graph graph_;
};

}  // namespace redtune::bench
