#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tuner/gpu/buffer.h"
#include "tuner/gpu/graph.h"
#include "tuner/gpu/stream.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/inputs.h"
#include "tuner/timing/support_kernels.h"
#include "tuner/timing/timing_plan.h"
#include "tuner/timing/workspace.h"

namespace redtune::timing {

/// One sample: the time of a call, and the SM clock right after it.
struct Sample {
    double us_per_call = 0;
    double sm_mhz = 0;
};

/// Memory and events that graphs use in turn. One for all of a device: where the workspace lies changes the time of a
/// small reduction, so that candidates are comparable at one place only.
struct TimingBuffers {
    explicit TimingBuffers(const SupportKernels& kernels) : workspace(&kernels) {}

    Workspace workspace;
    gpu::DeviceBuffer outputs;
    gpu::DeviceBuffer clock{2 * sizeof(std::uint64_t)};
    gpu::Event begin;
    gpu::Event end;
};

/// What of a call is timed.
enum class Part : std::uint8_t {
    call,         ///< all its launches, as a program would make it
    first_launch  ///< the first kernel alone; its results are partial and are not judged
};

/// Where calls write: one set of results each, or, of many results, one for each input.
struct OutputSets {
    std::uint32_t count = 1;
    std::uint32_t judged = 1;  ///< the first so many hold the results of a known input
};

/// A graph of K calls of a candidate, between two events that are nodes of the graph themselves, so that no host
/// latency is in the time. The graph first zeroes the workspace, which another candidate may have used since, makes
/// inputs anew that candidates overwrite, and for cold reads a buffer of twice the L2.
class TimedGraph {
  public:
    TimedGraph(const SupportKernels& kernels, const Inputs& inputs, const gpu::DeviceBuffer& flush, gpu::Stream& stream,
               TimingBuffers& site, const Problem& problem, const launch::LoadedKernel& loaded_kernel, std::uint64_t n,
               Regime regime, const TimingPlan& timing, Part part = Part::call);

    /// What one call launches, of the part that is timed.
    const LaunchPlan& plan() const { return plan_; }

    /// Runs the graph once and waits for it.
    Sample run();

    /// Judges every result of the last run, on timed values, by the error bound of the plan. @return empty, or what is
    /// wrong.
    std::optional<std::string> judge_outputs(Inputs& inputs) const;

  private:
    gpu::Graph prepare_and_capture(const Inputs& inputs, const gpu::DeviceBuffer& flush,
                                   const launch::LoadedKernel& loaded_kernel, Regime regime);
    std::uint32_t output_set(std::uint32_t call) const;

    const SupportKernels& kernels_;
    gpu::Stream& stream_;
    TimingBuffers& site_;
    Problem problem_;
    Part part_;
    LaunchPlan plan_;
    std::uint64_t output_stride_;  ///< results
    std::uint64_t n_;
    TimingPlan timing_;
    OutputSets output_sets_;
    gpu::Graph graph_;
};

}  // namespace redtune::timing
