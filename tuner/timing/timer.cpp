#include "tuner/timing/timer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "redtune/error.h"
#include "tuner/core/clock.h"
#include "tuner/core/statistics.h"
#include "tuner/timing/early_stop.h"

namespace redtune::timing {

namespace {

using Clock = std::chrono::steady_clock;

/// Returns whether sampling can end: the interval of the median is narrow enough, or the maximum number of samples or
/// the maximum time is reached.
bool is_precise_enough(const Measurement& measurement, const Precision& precision, double spent_us) {
    const auto count = static_cast<int>(measurement.samples_us.size());
    if (count < precision.min_samples) return false;
    if (count >= precision.max_samples || spent_us >= max_sampling_us) return true;
    const Interval interval = median_interval(measurement.samples_us);
    return interval.high - interval.low <= precision.interval * median(measurement.samples_us);
}

/// A scope guard: its destructor restores the inputs that a subject may have overwritten.
class InputRestorer {
  public:
    InputRestorer(const TimingContext& context, bool is_needed, const TimingPlan& timing, const Cell& cell)
        : context_(context), is_needed_(is_needed), timing_(timing), cell_(cell) {}
    InputRestorer(const InputRestorer&) = delete;
    InputRestorer& operator=(const InputRestorer&) = delete;
    ~InputRestorer() {
        if (!is_needed_) return;
        try {
            context_.inputs.restore_timed(timing_, cell_, context_.stream.handle());
        } catch (const DeviceError&) {
            return;  // the device is lost: the next use of it reports that
        }
    }

  private:
    const TimingContext& context_;
    bool is_needed_;
    TimingPlan timing_;
    Cell cell_;
};

std::uint64_t flush_bytes(const DeviceInfo& device) {
    return std::max(static_cast<std::uint64_t>(flush_span_of_l2 * static_cast<double>(device.l2_bytes)),
                    least_flush_bytes);
}

}  // namespace

struct Timer::Sampling {
    TimedGraph graph;
    std::uint32_t calls;
    Measurement measurement;
    std::vector<double> rejected_us;
};

Timer::Timer(const SupportKernels& kernels, Inputs& inputs, const Problem& problem, const DeviceInfo& device,
             const gpu::NvmlDevice& nvml, gpu::Stream& stream, TimeAccount* account)
    : context_{kernels, inputs, problem, stream},
      device_(device),
      nvml_(nvml),
      account_(account),
      buffers_(kernels, flush_bytes(device)),
      floors_(kernels, buffers_, stream, account) {
    nominal_mhz_ = nvml_.nominal_sm_mhz().value_or(0);
    buffers_.flush.fill(0, stream.handle());
    warm_up();
    ceilings_ = {device_.peak_gb_per_s, measure_l2_gb_per_s() * l2_ceiling_margin};
}

TimingPlan Timer::plan(const Subject& subject, const Cell& cell, double graph_us) const {
    TimingPlan timing = plan_timing(input_span_bytes(context_.problem, cell.n + cell.offset), cell.regime, graph_us,
                                    {device_.l2_bytes, device_.peak_gb_per_s, context_.inputs.pool_bytes()});
    // A call that overwrites its input cannot share the input with another call.
    if (subject.overwrites_input) timing.calls = timing.inputs;
    return timing;
}

OutputSets Timer::sets(const Subject& subject, const Cell& cell, double graph_us) const {
    return output_sets(context_.problem, cell.n, plan(subject, cell, graph_us));
}

/// Fills the inputs and the buffers, computes the expected results and captures the graph of a subject, unless it is
/// captured.
TimedGraph Timer::prepare(const Subject& subject, const Cell& cell, const TimingPlan& timing,
                          std::optional<TimedGraph> captured) {
    const TimeAccount::Span span(account_, Activity::prepare);
    context_.inputs.prepare_timed(timing, cell);
    // Computes the expected results and the term sums before the subject can overwrite its inputs.
    if (subject.is_judged) {
        const TimeAccount::Span checking(account_, Activity::check);
        context_.inputs.expected_timed(timing, cell);
        if (data_tolerance(context_.problem, subject.plan, context_.inputs.data()).uses_terms()) {
            context_.inputs.timed_term_sums(timing, cell);
        }
    }
    if (!captured) {
        buffers_.reserve(context_, subject.plan, output_sets(context_.problem, cell.n, timing));
        captured.emplace(context_, buffers_, subject, cell, timing, context_.stream);
    }
    captured->poison_buffers();
    return std::move(*captured);
}

Timer::Sampling Timer::start(const Subject& subject, const Cell& cell, double graph_us,
                             std::optional<TimedGraph> captured, const std::function<void()>& meanwhile) {
    const TimingPlan timing = plan(subject, cell, graph_us);
    Sampling sampling{prepare(subject, cell, timing, std::move(captured)), timing.calls, {}, {}};
    const InputRestorer restorer(context_, subject.overwrites_input, timing, cell);
    // Discarded: the driver loads the kernels now, and a warm input is read into the L2.
    sampling.graph.launch();
    const auto begin = Clock::now();
    if (meanwhile) meanwhile();
    const std::chrono::duration<double> taken = Clock::now() - begin;
    // What `meanwhile` takes longer than the run is time in which the GPU waits.
    const double gpu_s = sampling.graph.wait().us_per_call * timing.calls * 1e-6;
    if (account_ != nullptr && taken.count() > gpu_s) account_->move(taken.count() - gpu_s, Activity::prepare);
    const TimeAccount::Span span(account_, Activity::check);
    if (auto wrong = sampling.graph.judge_outputs()) {
        sampling.measurement.status = Status::wrong;
        sampling.measurement.reason = std::move(*wrong);
    }
    return sampling;
}

void Timer::reserve(const Subject& subject, const Cell& cell, const Precision& precision) {
    buffers_.reserve(context_, subject.plan, sets(subject, cell, precision.graph_us));
}

std::optional<TimedGraph> Timer::capture_ahead(const Subject& subject, const Cell& cell, const Precision& precision) {
    if (!buffers_.has_room(context_, subject.plan, sets(subject, cell, precision.graph_us))) return std::nullopt;
    return capture(subject, cell, precision.graph_us, ahead_);
}

TimedGraph Timer::capture(const Subject& subject, const Cell& cell, double graph_us, gpu::Stream& capturing) {
    return {context_, buffers_, subject, cell, plan(subject, cell, graph_us), capturing};
}

Measurement Timer::measure(const Subject& subject, const Cell& cell, const Precision& precision,
                           std::optional<TimedGraph> captured) {
    const InputRestorer restorer(context_, subject.overwrites_input, plan(subject, cell, precision.graph_us), cell);
    Sampling sampling = start(subject, cell, precision.graph_us, std::move(captured));
    Measurement& measurement = sampling.measurement;
    if (measurement.status != Status::ok) return measurement;
    double spent_us = 0;
    bool is_stopped_early = false;
    while (!is_stopped_early && !is_precise_enough(measurement, precision, spent_us) &&
           measurement.rejected < max_rejected) {
        if (take_sample(sampling)) spent_us += measurement.samples_us.back() * sampling.calls;
        is_stopped_early = is_hopeless(measurement.samples_us, precision.best_us);
    }
    // A subject that is stopped early has no floor: launching millions of empty blocks takes longer than its samples.
    if (precision.with_floor && !is_stopped_early) measurement.floor_us = floors_.us({subject.plan, sampling.calls});
    return finish(std::move(sampling), subject, cell);
}

Measurement Timer::early_stopped_measurement(const KernelResources& resources, double call_us) const {
    Measurement measurement;
    measurement.samples_us = {call_us};
    add_statistics_and_circumstances(measurement, resources, 1);
    return measurement;
}

std::vector<Measurement> Timer::interleave(std::span<const Subject> subjects, const Cell& cell, const Rounds& rounds) {
    // Reserves the buffers for all subjects before the first graph is captured, because graphs contain the buffers'
    // addresses.
    bool overwrites_input = false;
    for (const Subject& subject : subjects) {
        overwrites_input = overwrites_input || subject.overwrites_input;
        buffers_.reserve(context_, subject.plan, sets(subject, cell, rounds.graph_us));
    }
    // The subjects' plans differ only in the number of calls, so one plan restores the inputs of all.
    const InputRestorer restorer(context_, overwrites_input,
                                 subjects.empty() ? TimingPlan() : plan(subjects.front(), cell, rounds.graph_us), cell);
    std::vector<Sampling> samplings;
    std::optional<TimedGraph> captured;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        samplings.push_back(start(subjects[i], cell, rounds.graph_us, std::exchange(captured, std::nullopt), [&] {
            if (i + 1 < subjects.size()) captured.emplace(capture(subjects[i + 1], cell, rounds.graph_us, ahead_));
        }));
    }
    std::vector<Floors::Request> floors;
    for (std::size_t i = 0; i < subjects.size(); ++i) floors.push_back({subjects[i].plan, samplings[i].calls});
    Floors::Ahead floors_ahead(floors_, floors);
    const auto sample = [&](Sampling& sampling) {
        if (sampling.measurement.status != Status::ok) return;
        while (!take_sample(sampling) && sampling.measurement.rejected < max_rejected) {
        }
    };
    for (int round = 0; round < rounds.count; ++round) {
        if (round % 2 == 0) {
            std::for_each(samplings.begin(), samplings.end(), sample);
        } else {
            std::for_each(samplings.rbegin(), samplings.rend(), sample);
        }
    }
    floors_ahead.wait();
    std::vector<Measurement> measurements;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        samplings[i].measurement.floor_us = floors_.us(floors[i]);
        measurements.push_back(finish(std::move(samplings[i]), subjects[i], cell));
    }
    return measurements;
}

bool Timer::take_sample(Sampling& sampling) const {
    sampling.graph.launch();
    const Sample sample = sampling.graph.wait();
    if (sample.sm_mhz < throttle_limit * nominal_mhz_) {
        sampling.rejected_us.push_back(sample.us_per_call);
        ++sampling.measurement.rejected;
        return false;
    }
    sampling.measurement.samples_us.push_back(sample.us_per_call);
    return true;
}

Measurement Timer::finish(Sampling sampling, const Subject& subject, const Cell& cell) const {
    Measurement measurement = std::move(sampling.measurement);
    if (measurement.status == Status::ok && measurement.samples_us.empty()) {
        measurement.status = Status::throttled;
        measurement.reason = fmt::format(
            "the SM clock stayed below {} of nominal; let the device cool down and run again", throttle_limit);
        measurement.samples_us = std::move(sampling.rejected_us);
    }
    add_statistics_and_circumstances(measurement, subject.resources, sampling.calls);
    const std::uint64_t input_bytes = subject.reads_input ? bytes_read(context_.problem, cell.n) : 0;
    judge_plausibility(measurement, input_bytes, cell.regime, ceilings_);
    return measurement;
}

void Timer::add_statistics_and_circumstances(Measurement& measurement, const KernelResources& resources,
                                             std::uint32_t calls) const {
    summarise(measurement);
    measurement.calls_per_sample = calls;
    measurement.resources = resources;
    measurement.circumstances = nvml_.read();
    measurement.measured_at = utc_now();
}

double Timer::measure_l2_gb_per_s() {
    double best = 0;
    // Tries several buffer sizes, because the part of L2 that can be read at full bandwidth differs between devices.
    for (const std::uint64_t part : {2, 4, 8}) {
        const gpu::DeviceBuffer resident(std::max<std::uint64_t>(device_.l2_bytes / part, std::uint64_t{1} << 20));
        gpu::Graph graph = gpu::Graph::capture(context_.stream, [&](CUstream capturing) {
            context_.kernels.read(resident, capturing);
            gpu::record_event_in_graph(buffers_.begin, capturing);
            for (int i = 0; i < l2_reads; ++i) context_.kernels.read(resident, capturing);
            gpu::record_event_in_graph(buffers_.end, capturing);
        });
        for (int i = 0; i < l2_samples; ++i) {
            graph.launch(context_.stream);
            context_.stream.synchronize();
            const double us = gpu::elapsed_us(buffers_.begin, buffers_.end) / l2_reads;
            best = std::max(best, static_cast<double>(resident.size()) / us * 1e-3);
        }
    }
    return best;
}

void Timer::warm_up() {
    constexpr int reads_per_probe = 20;
    const auto begin = Clock::now();
    double mhz = 0;
    while (mhz < warm_clock_part * nominal_mhz_ || nominal_mhz_ == 0) {
        if (Clock::now() - begin > std::chrono::duration<double, std::milli>(warm_up_ms)) break;
        for (int i = 0; i < reads_per_probe; ++i) context_.kernels.read(buffers_.flush, context_.stream.handle());
        context_.kernels.probe_clock(clock_probe_ns, buffers_.clock.address(), context_.stream.handle());
        context_.stream.synchronize();
        mhz = probed_sm_mhz(buffers_);
    }
}

}  // namespace redtune::timing
