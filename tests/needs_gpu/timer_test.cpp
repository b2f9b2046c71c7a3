#include "tuner/timing/timer.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tuner/timing/constants.h"

namespace redtune {
namespace {

class TimerOnGpu : public ::testing::Test {
  protected:
    launch::LoadedKernel some_kernel(std::uint64_t n) { return loaded_.load(loaded_.trials(n).back()); }
    timing::Subject subject(std::uint64_t n) {
        return timing::kernel_subject(some_kernel(n), make_problem("sum", Type::f32), n);
    }

    test_support::LoadedCandidates loaded_{make_problem("sum", Type::f32)};
    gpu::NvmlDevice nvml_{loaded_.device().uuid};
    timing::Timer timer_{loaded_.kernels(), loaded_.inputs(), make_problem("sum", Type::f32), loaded_.device(), nvml_,
                         loaded_.stream()};
};

TEST_F(TimerOnGpu, AMeasurementIsComplete) {
    for (const Regime regime : {Regime::cold, Regime::warm, Regime::back_to_back}) {
        const Measurement measurement = timer_.measure(subject(1 << 20), {1 << 20, regime}, {200, 10, 10, 0});
        EXPECT_EQ(measurement.status, Status::ok) << measurement.reason;
        EXPECT_EQ(measurement.samples_us.size(), 10U);
        EXPECT_GT(measurement.floor_us, 0);
        EXPECT_GT(measurement.median_us, measurement.floor_us);
        EXPECT_GE(measurement.calls_per_sample, timing::min_calls);
        EXPECT_GT(measurement.resources.registers, 0U);
        EXPECT_FALSE(measurement.measured_at.empty());
    }
}

TEST_F(TimerOnGpu, AHopelessSubjectIsStoppedEarly) {
    const timing::Cell cell{1 << 20, Regime::cold};
    const Measurement hopeless = timer_.measure(subject(1 << 20), cell, {200, 10, 10, 0, 1e-3});
    EXPECT_EQ(hopeless.status, Status::ok) << hopeless.reason;
    EXPECT_EQ(hopeless.samples_us.size(), timing::early_stop_samples);
    EXPECT_GT(hopeless.median_us, 0);
    EXPECT_EQ(hopeless.floor_us, 0);
    const Measurement fast = timer_.measure(subject(1 << 20), cell, {200, 10, 10, 0, 1e6});
    EXPECT_EQ(fast.samples_us.size(), 10U);
    EXPECT_GT(fast.floor_us, 0);
}

TEST_F(TimerOnGpu, AGraphThatAnotherThreadCapturesWhileOneIsMeasuredGivesRightResults) {
    const timing::Cell cell{1 << 20, Regime::cold};
    const timing::Precision precision{200, 10, 10, 0};
    EXPECT_FALSE(timer_.capture_ahead(subject(1 << 20), cell, precision)) << "there is no room for its results yet";
    const gpu::Context context(0);
    std::deque<timing::TimedGraph> captured;
    for (int i = 0; i < 20; ++i) {
        const timing::Subject now = subject(1 << 20);
        const timing::Subject next = subject(1 << 20);
        std::optional<timing::TimedGraph> graph;
        if (!captured.empty()) graph.emplace(std::move(captured.front()));
        captured.clear();
        timer_.reserve(now, cell, precision);
        std::jthread capturing([&] {
            context.make_current();
            if (auto ahead = timer_.capture_ahead(next, cell, precision)) captured.push_back(std::move(*ahead));
        });
        const Measurement measurement = timer_.measure(now, cell, precision, std::move(graph));
        EXPECT_EQ(measurement.status, Status::ok) << measurement.reason;
        EXPECT_EQ(measurement.samples_us.size(), 10U);
        capturing.join();
        EXPECT_EQ(captured.size(), 1U);
    }
}

TEST_F(TimerOnGpu, AKernelThatDoesNothingIsWrongThoughItsGraphWasCapturedAhead) {
    const timing::Cell cell{1 << 20, Regime::cold};
    const timing::Precision precision{200, 10, 10, 0};
    EXPECT_EQ(timer_.measure(subject(1 << 20), cell, precision).status, Status::ok);
    launch::LoadedKernel nothing = some_kernel(1 << 20);
    nothing.kernels.fill(loaded_.kernels().empty_kernel());
    const timing::Subject wrong = timing::kernel_subject(nothing, make_problem("sum", Type::f32), 1 << 20);
    auto captured = timer_.capture_ahead(wrong, cell, precision);
    ASSERT_TRUE(captured);
    EXPECT_EQ(timer_.measure(subject(1 << 20), cell, precision).status, Status::ok) << "writes the same buffers";
    EXPECT_EQ(timer_.measure(wrong, cell, precision, std::move(captured)).status, Status::wrong);
}

TEST_F(TimerOnGpu, ACheckedCallHasATime) {
    const launch::LoadedKernel kernel = some_kernel(1 << 20);
    EXPECT_EQ(loaded_.checker().check_size(kernel, 1 << 20), std::nullopt);
    const double call_us = loaded_.checker().last_call_us();
    EXPECT_GT(call_us, 1);
    const Measurement stopped_early = timer_.early_stopped_measurement(kernel.resources, call_us);
    EXPECT_EQ(stopped_early.samples_us, std::vector<double>{call_us});
    EXPECT_EQ(stopped_early.median_us, call_us);
    EXPECT_EQ(stopped_early.calls_per_sample, 1U);
    EXPECT_GT(stopped_early.resources.registers, 0U);
    EXPECT_FALSE(stopped_early.measured_at.empty());
}

TEST_F(TimerOnGpu, InterleavedSamplesArePaired) {
    const std::vector<timing::Subject> subjects = {subject(1 << 18), subject(1 << 18)};
    const std::vector<Measurement> both = timer_.interleave(subjects, {1 << 18, Regime::cold});
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[0].samples_us.size(), static_cast<std::size_t>(timing::final_rounds));
    EXPECT_EQ(both[1].samples_us.size(), both[0].samples_us.size());
    const std::vector<Measurement> few = timer_.interleave(subjects, {1 << 18, Regime::cold}, {7, 200});
    EXPECT_EQ(few[1].samples_us.size(), 7U);
}

TEST_F(TimerOnGpu, ResultsAreRightOffAlignment) {
    for (const Regime regime : {Regime::cold, Regime::warm}) {
        const timing::Subject one = subject(1 << 16);
        const Measurement measurement = timer_.interleave({&one, 1}, {1 << 16, regime, 1}).front();
        EXPECT_EQ(measurement.status, Status::ok) << measurement.reason;
    }
}

// A subject that is not a kernel of redtune, such as a library's function, gets a time but no floor, and its result is
// not checked.
TEST_F(TimerOnGpu, AnyCallCanBeTimed) {
    timing::Subject reader;
    reader.is_judged = false;
    reader.plan.workspace_bytes = 4096;
    reader.enqueue = [&](std::uint32_t, const timing::CallBuffers& buffers, CUstream stream) {
        EXPECT_NE(buffers.workspace, 0U);
        loaded_.kernels().fill(buffers.workspace, 4096 / sizeof(float), timing::InputValues::timed, 1, stream);
    };
    const std::vector<timing::Subject> subjects = {subject(1 << 18), reader};
    const std::vector<Measurement> both = timer_.interleave(subjects, {1 << 18, Regime::warm});
    EXPECT_EQ(both[0].status, Status::ok) << both[0].reason;
    EXPECT_EQ(both[1].status, Status::ok) << both[1].reason;
    EXPECT_GT(both[1].median_us, 0);
    EXPECT_EQ(both[1].floor_us, 0);
}

// A kernel that does not write its output must be found wrong, because the output was poisoned before, even though its
// time is short.
TEST_F(TimerOnGpu, AKernelThatDoesNothingIsWrong) {
    launch::LoadedKernel nothing = some_kernel(1 << 20);
    nothing.kernels.fill(loaded_.kernels().empty_kernel());
    const timing::Subject wrong = timing::kernel_subject(nothing, make_problem("sum", Type::f32), 1 << 20);
    EXPECT_EQ(timer_.measure(wrong, {1 << 20, Regime::cold}, {200, 10, 10, 0}).status, Status::wrong);
    const std::vector<timing::Subject> subjects = {wrong, subject(1 << 20)};
    const std::vector<Measurement> both = timer_.interleave(subjects, {1 << 20, Regime::cold});
    EXPECT_EQ(both[0].status, Status::wrong);
    EXPECT_TRUE(both[0].samples_us.empty());
    EXPECT_EQ(both[1].status, Status::ok) << both[1].reason;
    EXPECT_TRUE(loaded_.checker().check_hard_sizes(nothing, "nothing"));
    EXPECT_TRUE(loaded_.checker().check_size(nothing, 1 << 20));
}

}  // namespace
}  // namespace redtune
