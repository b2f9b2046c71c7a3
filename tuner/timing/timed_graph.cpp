#include "tuner/timing/timed_graph.h"

#include <algorithm>

#include "tuner/timing/constants.h"
#include "tuner/timing/tolerance.h"

namespace redtune::timing {

namespace {

// Results of different calls lie in different sectors, as they would in a program.
constexpr std::uint64_t output_alignment = 256;
// Of rows there are many results; calls then take turns writing to the same places.
constexpr std::uint64_t most_output_bytes = std::uint64_t{1} << 28;

std::uint64_t stride_of(const Problem& problem, std::uint64_t n) {
    const std::uint64_t bytes = result_count(problem, n) * size_of(problem.output);
    return (bytes / output_alignment + 1) * output_alignment / size_of(problem.output);
}

OutputSets sets_of(const Problem& problem, std::uint64_t stride, const TimingPlan& timing) {
    const std::uint64_t room = std::max<std::uint64_t>(2, most_output_bytes / (stride * size_of(problem.output)));
    if (timing.calls <= room) return {timing.calls, timing.calls};
    // One for each input; where there is no room for that, the inputs that are left over share the last, unjudged.
    if (timing.inputs <= room) return {timing.inputs, timing.inputs};
    return {static_cast<std::uint32_t>(room), static_cast<std::uint32_t>(room - 1)};
}

LaunchPlan plan_of(const Problem& problem, const launch::LoadedKernel& loaded_kernel, std::uint64_t n, Part part) {
    LaunchPlan plan = make_plan(loaded_kernel.rule, n, problem.row_length);
    if (part == Part::first_launch) plan.count = 1;
    return plan;
}

}  // namespace

TimedGraph::TimedGraph(const SupportKernels& kernels, const Inputs& inputs, const gpu::DeviceBuffer& flush,
                       gpu::Stream& stream, TimingBuffers& site, const Problem& problem,
                       const launch::LoadedKernel& loaded_kernel, std::uint64_t n, Regime regime,
                       const TimingPlan& timing, Part part)
    : kernels_(kernels),
      stream_(stream),
      site_(site),
      problem_(problem),
      part_(part),
      plan_(plan_of(problem, loaded_kernel, n, part)),
      output_stride_(stride_of(problem, n)),
      n_(n),
      timing_(timing),
      output_sets_(sets_of(problem, output_stride_, timing)),
      graph_(prepare_and_capture(inputs, flush, loaded_kernel, regime)) {}

gpu::Graph TimedGraph::prepare_and_capture(const Inputs& inputs, const gpu::DeviceBuffer& flush,
                                           const launch::LoadedKernel& loaded_kernel, Regime regime) {
    site_.workspace.prepare(plan_, stream_.handle());
    const std::uint64_t set_bytes = output_stride_ * size_of(problem_.output);
    const std::uint64_t bytes = output_sets_.count * set_bytes;
    if (site_.outputs.size() < bytes) site_.outputs = gpu::DeviceBuffer(bytes);
    site_.outputs.fill(poison_byte, bytes, 0, stream_.handle());
    return gpu::Graph::capture(stream_, [&](CUstream recording) {
        site_.workspace.hand_over(plan_, recording);
        if (loaded_kernel.destructive) inputs.restore_timed(timing_, recording);
        if (regime != Regime::warm) kernels_.read(flush, recording);
        gpu::record_event_in_graph(site_.begin, recording);
        for (std::uint32_t call = 0; call < timing_.calls; ++call) {
            launch::enqueue(loaded_kernel, call == 0 ? launch::without_leading_pdl(plan_) : plan_,
                            inputs.timed(timing_, n_, call % timing_.inputs),
                            site_.outputs.address() + output_set(call) * set_bytes, site_.workspace.address(),
                            recording);
        }
        gpu::record_event_in_graph(site_.end, recording);
        kernels_.probe_clock(clock_probe_ns, site_.clock.address(), recording);
    });
}

std::uint32_t TimedGraph::output_set(std::uint32_t call) const {
    if (output_sets_.count == timing_.calls) return call;
    return std::min(call % timing_.inputs, output_sets_.count - 1);
}

Sample TimedGraph::run() {
    graph_.launch(stream_);
    stream_.synchronize();
    std::uint64_t clock[2] = {0, 0};
    site_.clock.copy_to_host(clock, sizeof(clock));
    const double mhz = clock[1] == 0 ? 0 : 1e3 * static_cast<double>(clock[0]) / static_cast<double>(clock[1]);
    return {gpu::elapsed_us(site_.begin, site_.end) / timing_.calls, mhz};
}

std::optional<std::string> TimedGraph::judge_outputs(Inputs& inputs) const {
    if (part_ == Part::first_launch) return std::nullopt;
    const gpu::DeviceBuffer& expected = inputs.expected_timed(timing_, n_);
    if (auto wrong = kernels_.judge({site_.outputs.address(), output_stride_, output_sets_.judged, expected.address(),
                                     timing_.inputs, result_count(problem_, n_), timed_tolerance(problem_, plan_)},
                                    stream_.handle())) {
        return "timed " + *wrong;
    }
    return site_.workspace.inspect(plan_);
}

}  // namespace redtune::timing
