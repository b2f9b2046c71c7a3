#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tuner/gpu/buffer.h"
#include "tuner/gpu/graph.h"
#include "tuner/gpu/stream.h"
#include "tuner/timing/inputs.h"
#include "tuner/timing/subject.h"
#include "tuner/timing/support_kernels.h"
#include "tuner/timing/timing_plan.h"
#include "tuner/timing/workspace.h"

namespace redtune::timing {

/// One sample: the time of a call, and the SM clock measured right after it.
struct Sample {
    double us_per_call = 0;
    double sm_mhz = 0;
};

/// The problem that is timed, and the kernels, inputs and stream that time it.
struct TimingContext {
    const SupportKernels& kernels;
    Inputs& inputs;
    Problem problem;
    gpu::Stream& stream;
};

/// The sets of results that the calls of a sample write: one set for each call; if these exceed max_output_bytes, one
/// for each input; if these exceed it too, as many as fit, and the remaining inputs share the last set.
struct OutputSets {
    std::uint64_t stride = 0;  ///< distance from one set to the next, in results
    std::uint32_t count = 1;
    std::uint32_t judged = 1;  ///< number of sets to check: the first ones, each written for one input only
};

/// Returns how many output sets a sample has, within max_output_bytes.
OutputSets output_sets(const Problem& problem, std::uint64_t n, const TimingPlan& timing);

/// Memory and events that all graphs of a timer use in turn. They are shared because the address of the workspace
/// changes the time of a small reduction: only subjects with the same workspace are comparable.
struct TimingBuffers {
    /// @param flush_bytes bytes that are read before each sample, except in the warm regime
    TimingBuffers(const SupportKernels& kernels, std::uint64_t flush_bytes) : workspace(&kernels), flush(flush_bytes) {}

    /// Makes room for a subject's workspace and outputs, so that graphs captured later do not move them.
    void reserve(const TimingContext& context, const LaunchPlan& plan, const OutputSets& sets);
    /// Returns whether reserve() would move nothing.
    bool has_room(const TimingContext& context, const LaunchPlan& plan, const OutputSets& sets) const;

    Workspace workspace;
    gpu::DeviceBuffer flush;  ///< read before a sample, to displace the inputs from the L2
    gpu::DeviceBuffer outputs;
    gpu::DeviceBuffer clock{2 * sizeof(std::uint64_t)};  ///< cycles and nanoseconds, from the clock probe
    gpu::Event begin;
    gpu::Event end;
};

/// Returns the SM clock that the last probe_clock() into buffers.clock measured, in MHz; 0 if none ran.
double probed_sm_mhz(const TimingBuffers& buffers);

/// A CUDA graph of K calls of a subject between two event nodes, so that the time includes no host latency. Before the
/// first event the graph zeroes the workspace, which another subject may have used since; restores the inputs if the
/// subject overwrites them; and, unless the cell is warm, reads buffers.flush.
class TimedGraph {
  public:
    /// Captures the graph. The buffers must have room for the subject.
    /// @param capturing the stream that captures; it may be another one than the context's, which runs the graph
    TimedGraph(const TimingContext& context, TimingBuffers& buffers, const Subject& subject, const Cell& cell,
               const TimingPlan& timing, gpu::Stream& capturing);

    /// Fills the outputs and the workspace with poison. Call it before the first launch().
    void poison_buffers() const;

    /// Launches the graph once.
    void launch() const;
    /// Waits for the last launch and returns what it measured.
    Sample wait() const;

    /// Judges the results of the last launch by the error bound of the plan, and the state of the workspace.
    /// @return empty if all is right or the subject is not judged, else what is wrong
    std::optional<std::string> judge_outputs() const;

  private:
    gpu::Graph capture(const Subject& subject, gpu::Stream& stream) const;
    std::uint64_t set_bytes() const;
    std::uint32_t output_set(std::uint32_t call) const;

    TimingContext context_;
    TimingBuffers& buffers_;
    Cell cell_;
    TimingPlan timing_;
    LaunchPlan plan_;
    bool is_judged_;
    OutputSets sets_;
    gpu::Graph graph_;
};

}  // namespace redtune::timing
