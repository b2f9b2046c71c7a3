#include "tuner/bench/timer.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "redtune/error.h"
#include "tuner/bench/constants.h"
#include "tuner/bench/give_up.h"
#include "tuner/core/clock.h"
#include "tuner/core/statistics.h"

namespace redtune::bench {

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

Timer::Timer(const FixedKernels& kernels, Inputs& inputs, const Problem& problem, const DeviceInfo& device,
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

TimingPlan Timer::plan(const Runnable& runnable, std::uint64_t n, Regime regime, double replay_us) const {
    TimingPlan timing = plan_timing(input_span_bytes(problem_, n), regime, replay_us,
                                    {device_.l2_bytes, device_.peak_gb_per_s, inputs_.pool_bytes()});
    // An input that is overwritten serves one call.
    if (runnable.destructive) timing.calls = timing.inputs;
    return timing;
}

Measurement Timer::measure(const Runnable& runnable, std::uint64_t n, Regime regime, const Precision& precision,
                           Part part) {
    const TimingPlan timing = plan(runnable, n, regime, precision.replay_us);
    if (part == Part::call) inputs_.expected_timed(timing, n);  // while the inputs are whole
    Replay replay(kernels_, inputs_, flush_, stream_, site_, problem_, runnable, n, regime, timing, part);
    const Restore restore(runnable.destructive ? &inputs_ : nullptr, timing, stream_);
    Measurement measurement;
    replay.run();  // loads what is loaded lazily, and fills the cache for the warm regime
    if (std::optional<std::string> wrong = replay.judge_outputs(inputs_)) {
        measurement.status = Status::wrong;
        measurement.reason = std::move(*wrong);
    } else {
        double spent_us = 0;
        std::vector<double> rejected;
        bool is_given_up = false;
        while (!is_given_up && !is_enough(measurement, precision, spent_us) && measurement.rejected < max_rejected) {
            if (take_sample(replay, measurement, rejected)) spent_us += measurement.samples_us.back() * timing.calls;
            is_given_up = is_hopeless(measurement.samples_us, precision.best_us);
        }
        // Millions of empty blocks take longer than the samples did.
        if (!is_given_up) measurement.floor_us = floor_us(replay.plan(), timing.calls);
        close(measurement, runnable, n, regime, timing.calls, std::move(rejected));
    }
    return measurement;
}

Measurement Timer::give_up(const Runnable& runnable, double call_us) const {
    Measurement measurement;
    measurement.samples_us = {call_us};
    describe(measurement, runnable, 1);
    return measurement;
}

std::vector<Measurement> Timer::interleave(std::span<const Runnable> runnables, std::uint64_t n, Regime regime) {
    std::vector<TimingPlan> timings;
    for (const Runnable& runnable : runnables) {
        timings.push_back(plan(runnable, n, regime, long_replay_us));
        site_.workspace.reserve(make_plan(runnable.rule, n, problem_.row_length), stream_.handle());
    }
    std::vector<Replay> replays;
    std::vector<std::unique_ptr<Restore>> restores;
    for (std::size_t i = 0; i < runnables.size(); ++i) {
        replays.emplace_back(kernels_, inputs_, flush_, stream_, site_, problem_, runnables[i], n, regime, timings[i]);
        restores.push_back(
            std::make_unique<Restore>(runnables[i].destructive ? &inputs_ : nullptr, timings[i], stream_));
        replays.back().run();
    }
    std::vector<Measurement> measurements(runnables.size());
    std::vector<std::vector<double>> rejected(runnables.size());
    const auto sample = [&](std::size_t i) {
        // A rejected sample is taken again at once, so that samples stay paired.
        while (!take_sample(replays[i], measurements[i], rejected[i]) && measurements[i].rejected < max_rejected) {
        }
    };
    for (int round = 0; round < final_rounds; ++round) {
        for (std::size_t i = 0; i < replays.size(); ++i) sample(round % 2 == 0 ? i : replays.size() - 1 - i);
    }
    for (std::size_t i = 0; i < runnables.size(); ++i) {
        measurements[i].floor_us = floor_us(replays[i].plan(), timings[i].calls);
        close(measurements[i], runnables[i], n, regime, timings[i].calls, std::move(rejected[i]));
    }
    return measurements;
}

bool Timer::take_sample(Replay& replay, Measurement& measurement, std::vector<double>& rejected) {
    const Sample sample = replay.run();
    if (sample.sm_mhz < throttle_limit * nominal_mhz_) {
        rejected.push_back(sample.us_per_call);
        ++measurement.rejected;
        return false;
    }
    measurement.samples_us.push_back(sample.us_per_call);
    return true;
}

void Timer::close(Measurement& measurement, const Runnable& runnable, std::uint64_t n, Regime regime,
                  std::uint32_t calls, std::vector<double> rejected) const {
    if (measurement.samples_us.empty()) {
        measurement.status = Status::throttled;
        measurement.reason = "the SM clock stayed below 0.75 of nominal; let the device cool down and run again";
        measurement.samples_us = std::move(rejected);
    }
    describe(measurement, runnable, calls);
    judge_plausibility(measurement, bytes_read(problem_, n), regime, ceilings_);
}

void Timer::describe(Measurement& measurement, const Runnable& runnable, std::uint32_t calls) const {
    summarise(measurement);
    measurement.calls_per_sample = calls;
    measurement.resources = runnable.resources;
    measurement.circumstances = nvml_.read();
    measurement.measured_at = utc_now();
}

double Timer::floor_us(const LaunchPlan& plan, std::uint32_t calls) {
    std::vector<std::uint32_t> shape{calls};
    bool overlaps = false;
    for (const Launch& step : plan.launches()) {
        overlaps = overlaps || step.overlap;
        shape.insert(shape.end(), {step.grid, step.block, step.shared_bytes, step.cluster, step.overlap ? 1U : 0U});
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
            enqueue_empty(empty, call == 0 ? begins_chain(plan) : plan, recording);
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

}  // namespace redtune::bench
