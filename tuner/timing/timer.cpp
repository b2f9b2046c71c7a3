#include "tuner/timing/timer.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "redtune/error.h"
#include "tuner/core/clock.h"
#include "tuner/core/statistics.h"
#include "tuner/timing/constants.h"
#include "tuner/timing/early_stop.h"

namespace redtune::timing {

namespace {

constexpr std::uint32_t floor_samples = 5;

/// Whether the interval of the median is narrow enough, or enough time was spent.
bool is_enough(const Measurement& measurement, const Precision& precision, double spent_us) {
    const auto count = static_cast<int>(measurement.samples_us.size());
    if (count < precision.min_samples) return false;
    if (count >= precision.max_samples || spent_us >= max_sampling_us) return true;
    const Interval interval = median_interval(measurement.samples_us);
    return interval.high - interval.low <= precision.interval * median(measurement.samples_us);
}

/// Makes inputs whole again that timed calls have overwritten.
class Restore {
  public:
    Restore(const Inputs* inputs, const TimingPlan& timing, gpu::Stream& stream)
        : inputs_(inputs), timing_(timing), stream_(stream) {}
    Restore(const Restore&) = delete;
    Restore& operator=(const Restore&) = delete;
    ~Restore() {
        if (inputs_ == nullptr) return;
        try {
            inputs_->restore_timed(timing_, stream_.handle());
        } catch (const DeviceError&) {
            return;  // the device is lost: the next call says so
        }
    }

  private:
    const Inputs* inputs_;
    TimingPlan timing_;
    gpu::Stream& stream_;
};

}  // namespace

Timer::Timer(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, const DeviceInfo& device,
             const gpu::NvmlDevice& nvml, gpu::Stream& stream)
    : kernels_(kernels),
      inputs_(inputs),
      problem_(problem),
      device_(device),
      nvml_(nvml),
      stream_(stream),
      flush_(
          std::max<std::uint64_t>(static_cast<std::uint64_t>(flush_span_of_l2 * static_cast<double>(device.l2_bytes)),
                                  std::uint64_t{32} << 20)),
      site_(kernels) {
    nominal_mhz_ = nvml_.nominal_sm_mhz().value_or(0);
    flush_.fill(0, stream_.handle());
    spin_up();
    ceilings_ = {device_.peak_gb_per_s, measure_l2_gb_per_s() * l2_ceiling_margin};
}

TimingPlan Timer::plan(const launch::LoadedKernel& loaded_kernel, std::uint64_t n, Regime regime,
                       double graph_us) const {
    TimingPlan timing = plan_timing(input_span_bytes(problem_, n), regime, graph_us,
                                    {device_.l2_bytes, device_.peak_gb_per_s, inputs_.pool_bytes()});
    // An input that is overwritten serves one call.
    if (loaded_kernel.destructive) timing.calls = timing.inputs;
    return timing;
}

Measurement Timer::measure(const launch::LoadedKernel& loaded_kernel, std::uint64_t n, Regime regime,
                           const Precision& precision, Part part) {
    const TimingPlan timing = plan(loaded_kernel, n, regime, precision.graph_us);
    if (part == Part::call) inputs_.expected_timed(timing, n);  // while the inputs are whole
    TimedGraph graph(kernels_, inputs_, flush_, stream_, site_, problem_, loaded_kernel, n, regime, timing, part);
    const Restore restore(loaded_kernel.destructive ? &inputs_ : nullptr, timing, stream_);
    Measurement measurement;
    graph.run();  // loads what is loaded lazily, and fills the cache for the warm regime
    if (std::optional<std::string> wrong = graph.judge_outputs(inputs_)) {
        measurement.status = Status::wrong;
        measurement.reason = std::move(*wrong);
    } else {
        double spent_us = 0;
        std::vector<double> rejected;
        bool is_stopped_early = false;
        while (!is_stopped_early && !is_enough(measurement, precision, spent_us) &&
               measurement.rejected < max_rejected) {
            if (take_sample(graph, measurement, rejected)) spent_us += measurement.samples_us.back() * timing.calls;
            is_stopped_early = is_hopeless(measurement.samples_us, precision.best_us);
        }
        // Millions of empty blocks take longer than the samples did.
        if (!is_stopped_early) measurement.floor_us = floor_us(graph.plan(), timing.calls);
        close(measurement, loaded_kernel, n, regime, timing.calls, std::move(rejected));
    }
    return measurement;
}

Measurement Timer::stop_early(const launch::LoadedKernel& loaded_kernel, double call_us) const {
    Measurement measurement;
    measurement.samples_us = {call_us};
    describe(measurement, loaded_kernel, 1);
    return measurement;
}

std::vector<Measurement> Timer::interleave(std::span<const launch::LoadedKernel> loaded_kernels, std::uint64_t n,
                                           Regime regime) {
    std::vector<TimingPlan> timings;
    for (const launch::LoadedKernel& loaded_kernel : loaded_kernels) {
        timings.push_back(plan(loaded_kernel, n, regime, long_graph_us));
        site_.workspace.reserve(make_plan(loaded_kernel.rule, n, problem_.row_length), stream_.handle());
    }
    std::vector<TimedGraph> graphs;
    std::vector<std::unique_ptr<Restore>> restores;
    for (std::size_t i = 0; i < loaded_kernels.size(); ++i) {
        graphs.emplace_back(kernels_, inputs_, flush_, stream_, site_, problem_, loaded_kernels[i], n, regime,
                            timings[i]);
        restores.push_back(
            std::make_unique<Restore>(loaded_kernels[i].destructive ? &inputs_ : nullptr, timings[i], stream_));
        graphs.back().run();
    }
    std::vector<Measurement> measurements(loaded_kernels.size());
    std::vector<std::vector<double>> rejected(loaded_kernels.size());
    const auto sample = [&](std::size_t i) {
        // A rejected sample is taken again at once, so that samples stay paired.
        while (!take_sample(graphs[i], measurements[i], rejected[i]) && measurements[i].rejected < max_rejected) {
        }
    };
    for (int round = 0; round < final_rounds; ++round) {
        for (std::size_t i = 0; i < graphs.size(); ++i) sample(round % 2 == 0 ? i : graphs.size() - 1 - i);
    }
    for (std::size_t i = 0; i < loaded_kernels.size(); ++i) {
        measurements[i].floor_us = floor_us(graphs[i].plan(), timings[i].calls);
        close(measurements[i], loaded_kernels[i], n, regime, timings[i].calls, std::move(rejected[i]));
    }
    return measurements;
}

bool Timer::take_sample(TimedGraph& graph, Measurement& measurement, std::vector<double>& rejected) {
    const Sample sample = graph.run();
    if (sample.sm_mhz < throttle_limit * nominal_mhz_) {
        rejected.push_back(sample.us_per_call);
        ++measurement.rejected;
        return false;
    }
    measurement.samples_us.push_back(sample.us_per_call);
    return true;
}

void Timer::close(Measurement& measurement, const launch::LoadedKernel& loaded_kernel, std::uint64_t n, Regime regime,
                  std::uint32_t calls, std::vector<double> rejected) const {
    if (measurement.samples_us.empty()) {
        measurement.status = Status::throttled;
        measurement.reason = "the SM clock stayed below 0.75 of nominal; let the device cool down and run again";
        measurement.samples_us = std::move(rejected);
    }
    describe(measurement, loaded_kernel, calls);
    judge_plausibility(measurement, bytes_read(problem_, n), regime, ceilings_);
}

void Timer::describe(Measurement& measurement, const launch::LoadedKernel& loaded_kernel, std::uint32_t calls) const {
    summarise(measurement);
    measurement.calls_per_sample = calls;
    measurement.resources = loaded_kernel.resources;
    measurement.circumstances = nvml_.read();
    measurement.measured_at = utc_now();
}

double Timer::floor_us(const LaunchPlan& plan, std::uint32_t calls) {
    std::vector<std::uint32_t> shape{calls};
    bool overlaps = false;
    for (const Launch& step : plan.launches()) {
        overlaps = overlaps || step.pdl;
        shape.insert(shape.end(), {step.grid, step.block, step.shared_bytes, step.cluster, step.pdl ? 1U : 0U});
    }
    const auto [place, is_new] = floors_.try_emplace(std::move(shape));
    if (!is_new) return place->second;
    CUfunction empty = kernels_.empty(overlaps);
    for (const Launch& step : plan.launches()) {
        gpu::Module::allow_launches(empty, step.shared_bytes, step.cluster);
    }
    gpu::Graph graph = gpu::Graph::capture(stream_, [&](CUstream recording) {
        gpu::record_event_in_graph(site_.begin, recording);
        for (std::uint32_t call = 0; call < calls; ++call) {
            launch::enqueue_empty(empty, call == 0 ? launch::without_leading_pdl(plan) : plan, recording);
        }
        gpu::record_event_in_graph(site_.end, recording);
    });
    std::vector<double> samples;
    for (std::uint32_t i = 0; i <= floor_samples; ++i) {
        graph.launch(stream_);
        stream_.synchronize();
        if (i != 0) samples.push_back(gpu::elapsed_us(site_.begin, site_.end) / calls);
    }
    return place->second = median(samples);
}

double Timer::measure_l2_gb_per_s() {
    constexpr int reads = 20;
    constexpr int samples = 5;
    double best = 0;
    for (const std::uint64_t part : {2, 4, 8}) {
        const gpu::DeviceBuffer resident(std::max<std::uint64_t>(device_.l2_bytes / part, std::uint64_t{1} << 20));
        gpu::Graph graph = gpu::Graph::capture(stream_, [&](CUstream recording) {
            kernels_.read(resident, recording);
            gpu::record_event_in_graph(site_.begin, recording);
            for (int i = 0; i < reads; ++i) kernels_.read(resident, recording);
            gpu::record_event_in_graph(site_.end, recording);
        });
        for (int i = 0; i < samples; ++i) {
            graph.launch(stream_);
            stream_.synchronize();
            const double us = gpu::elapsed_us(site_.begin, site_.end) / reads;
            best = std::max(best, static_cast<double>(resident.size()) / us * 1e-3);
        }
    }
    return best;
}

void Timer::spin_up() {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    double mhz = 0;
    while (mhz < 0.95 * nominal_mhz_ || nominal_mhz_ == 0) {
        const std::chrono::duration<double, std::milli> spent = Clock::now() - begin;
        if (spent.count() > spin_up_ms) break;
        for (int i = 0; i < 20; ++i) kernels_.read(flush_, stream_.handle());
        kernels_.probe_clock(clock_probe_ns, site_.clock.address(), stream_.handle());
        stream_.synchronize();
        std::uint64_t clock[2] = {0, 0};
        site_.clock.copy_to_host(clock, sizeof(clock));
        mhz = clock[1] == 0 ? 0 : 1e3 * static_cast<double>(clock[0]) / static_cast<double>(clock[1]);
    }
}

}  // namespace redtune::timing
