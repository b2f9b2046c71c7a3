#include "tuner/bench/replay.h"

#include <fmt/format.h>

#include "tuner/bench/constants.h"
#include "tuner/bench/tolerance.h"
#include "tuner/bench/verdict.h"

namespace redtune::bench {

namespace {

// Results of different calls lie in different sectors, as they would in a program.
constexpr std::uint64_t output_stride = 256;

gpu::Graph capture(const FixedKernels& kernels, const Inputs& inputs, const gpu::DeviceBuffer& flush,
                   gpu::Stream& stream, ReplaySite& site, const Runnable& runnable, const LaunchPlan& plan,
                   Regime regime, const TimingPlan& timing) {
    return gpu::Graph::capture(stream, [&](CUstream recording) {
        site.workspace.hand_over(plan, recording);
        if (regime == Regime::cold) kernels.read(flush, recording);
        gpu::record_event_in_graph(site.begin, recording);
        for (std::uint32_t call = 0; call < timing.calls; ++call) {
            enqueue(runnable, plan, inputs.timed(timing, call % timing.inputs),
                    site.outputs.address() + call * output_stride, site.workspace.address(), recording);
        }
        gpu::record_event_in_graph(site.end, recording);
        kernels.probe_clock(clock_probe_ns, site.clock.address(), recording);
    });
}

LaunchPlan prepare(ReplaySite& site, const Runnable& runnable, std::uint64_t n, const TimingPlan& timing,
                   CUstream stream) {
    const LaunchPlan plan = make_plan(runnable.rule, n);
    site.workspace.prepare(plan, stream);
    const std::uint64_t bytes = timing.calls * output_stride;
    if (site.outputs.size() < bytes) site.outputs = gpu::DeviceBuffer(bytes);
    site.outputs.fill(poison_byte, bytes, 0, stream);
    return plan;
}

}  // namespace

Replay::Replay(const FixedKernels& kernels, const Inputs& inputs, const gpu::DeviceBuffer& flush, gpu::Stream& stream,
               ReplaySite& site, const Runnable& runnable, std::uint64_t n, Regime regime, const TimingPlan& timing)
    : stream_(stream),
      site_(site),
      plan_(prepare(site, runnable, n, timing, stream.handle())),
      n_(n),
      timing_(timing),
      graph_(capture(kernels, inputs, flush, stream, site, runnable, plan_, regime, timing)) {}

Sample Replay::run() {
    graph_.launch(stream_);
    stream_.synchronize();
    std::uint64_t clock[2] = {0, 0};
    site_.clock.copy_to_host(clock, sizeof(clock));
    const double mhz = clock[1] == 0 ? 0 : 1e3 * static_cast<double>(clock[0]) / static_cast<double>(clock[1]);
    return {gpu::elapsed_us(site_.begin, site_.end) / timing_.calls, mhz};
}

std::optional<std::string> Replay::judge_outputs(Inputs& inputs, Type output) const {
    const std::vector<Expected>& expected = inputs.expected_timed(timing_, n_);
    std::vector<std::uint32_t> words(timing_.calls * output_stride / sizeof(std::uint32_t));
    site_.outputs.copy_to_host(words.data(), words.size() * sizeof(std::uint32_t));
    const double tolerance = sum_tolerance(output, n_, plan_);
    for (std::uint32_t call = 0; call < timing_.calls; ++call) {
        const std::uint32_t bits = words[call * output_stride / sizeof(std::uint32_t)];
        if (const auto wrong = judge(output, bits, expected[call % timing_.inputs], tolerance)) {
            return fmt::format("timed call {} of {}: {}", call + 1, timing_.calls, *wrong);
        }
    }
    return site_.workspace.inspect(plan_);
}

}  // namespace redtune::bench
