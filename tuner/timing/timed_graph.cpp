#include "tuner/timing/timed_graph.h"

#include <algorithm>

#include "tuner/timing/constants.h"
#include "tuner/timing/tolerance.h"

namespace redtune::timing {

OutputSets output_sets(const Problem& problem, std::uint64_t n, const TimingPlan& timing) {
    const std::uint64_t result_bytes = size_of(problem.output);
    const std::uint64_t bytes = result_count(problem, n) * result_bytes;
    const std::uint64_t stride_bytes = (bytes / output_alignment + 1) * output_alignment;
    const std::uint64_t stride = stride_bytes / result_bytes;
    const std::uint64_t room = std::max<std::uint64_t>(2, max_output_bytes / stride_bytes);
    if (timing.calls <= room) return {stride, timing.calls, timing.calls};
    if (timing.inputs <= room) return {stride, timing.inputs, timing.inputs};
    // The inputs that get no set of their own share the last set, which therefore cannot be judged.
    return {stride, static_cast<std::uint32_t>(room), static_cast<std::uint32_t>(room - 1)};
}

void TimingBuffers::reserve(const TimingContext& context, const LaunchPlan& plan, const OutputSets& sets) {
    workspace.reserve(plan, context.stream.handle());
    const std::uint64_t bytes = sets.count * sets.stride * size_of(context.problem.output);
    if (outputs.size() < bytes) outputs = gpu::DeviceBuffer(bytes);
}

bool TimingBuffers::has_room(const TimingContext& context, const LaunchPlan& plan, const OutputSets& sets) const {
    return workspace.has_room(plan) && outputs.size() >= sets.count * sets.stride * size_of(context.problem.output);
}

double probed_sm_mhz(const TimingBuffers& buffers) {
    std::uint64_t clock[2] = {0, 0};
    buffers.clock.copy_to_host(clock, sizeof(clock));
    const auto [cycles, nanoseconds] = clock;
    return nanoseconds == 0 ? 0 : 1e3 * static_cast<double>(cycles) / static_cast<double>(nanoseconds);
}

TimedGraph::TimedGraph(const TimingContext& context, TimingBuffers& buffers, const Subject& subject, const Cell& cell,
                       const TimingPlan& timing, gpu::Stream& capturing)
    : context_(context),
      buffers_(buffers),
      cell_(cell),
      timing_(timing),
      plan_(subject.plan),
      is_judged_(subject.is_judged),
      sets_(output_sets(context.problem, cell.n, timing)),
      graph_(capture(subject, capturing)) {}

std::uint64_t TimedGraph::set_bytes() const {
    return sets_.stride * size_of(context_.problem.output);
}

void TimedGraph::poison_buffers() const {
    const CUstream stream = context_.stream.handle();
    buffers_.workspace.prepare(plan_, stream);
    buffers_.outputs.fill(poison_byte, sets_.count * set_bytes(), 0, stream);
}

gpu::Graph TimedGraph::capture(const Subject& subject, gpu::Stream& stream) const {
    return gpu::Graph::capture(stream, [&](CUstream capturing) {
        buffers_.workspace.zero(plan_, capturing);
        if (subject.overwrites_input) context_.inputs.restore_timed(timing_, cell_, capturing);
        if (cell_.regime != Regime::warm) context_.kernels.read(buffers_.flush, capturing);
        gpu::record_event_in_graph(buffers_.begin, capturing);
        for (std::uint32_t call = 0; call < timing_.calls; ++call) {
            subject.enqueue(call,
                            {context_.inputs.timed(timing_, cell_, call % timing_.inputs),
                             buffers_.outputs.address() + output_set(call) * set_bytes(), buffers_.workspace.address()},
                            capturing);
        }
        gpu::record_event_in_graph(buffers_.end, capturing);
        context_.kernels.probe_clock(clock_probe_ns, buffers_.clock.address(), capturing);
    });
}

std::uint32_t TimedGraph::output_set(std::uint32_t call) const {
    if (sets_.count == timing_.calls) return call;
    return std::min(call % timing_.inputs, sets_.count - 1);
}

void TimedGraph::launch() const {
    graph_.launch(context_.stream);
}

Sample TimedGraph::wait() const {
    context_.stream.synchronize();
    return {gpu::elapsed_us(buffers_.begin, buffers_.end) / timing_.calls, probed_sm_mhz(buffers_)};
}

std::optional<std::string> TimedGraph::judge_outputs() const {
    if (!is_judged_) return std::nullopt;
    const gpu::DeviceBuffer& expected = context_.inputs.expected_timed(timing_, cell_);
    const Tolerance tolerance = data_tolerance(context_.problem, plan_, context_.inputs.data());
    const CUdeviceptr terms =
        tolerance.uses_terms() ? context_.inputs.timed_term_sums(timing_, cell_).address() : CUdeviceptr{0};
    if (auto wrong = context_.kernels.judge({buffers_.outputs.address(), sets_.stride, sets_.judged, expected.address(),
                                             timing_.inputs, result_count(context_.problem, cell_.n), tolerance, terms},
                                            context_.stream.handle())) {
        return "timed " + *wrong;
    }
    return buffers_.workspace.check(plan_);
}

}  // namespace redtune::timing
