// Tests programmatic dependent launch with calls whose launches overlap, each of which reads what the previous one
// wrote.

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/needs_gpu/repetitions.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/graph.h"
#include "tuner/timing/timer.h"
#include "tuner/timing/workspace.h"

namespace redtune {
namespace {

using test_support::batch;

std::uint64_t pdl_calls() {
    return test_support::repetitions(10);
}

/// Calls that write their result to the first element of their own input. Each call increases that element by the sum
/// of all other elements, unless the call reads it before the previous call has written it.
class DependentCalls {
  public:
    DependentCalls(test_support::LoadedCandidates& loaded, const launch::LoadedKernel& loaded_kernel, std::uint64_t n)
        : kernel_(loaded_kernel),
          plan_(make_plan(loaded_kernel.rule, n)),
          elements_(n),
          input_(n * sizeof(std::uint32_t)) {
        loaded.kernels().fill(input_.address(), n, timing::InputValues::timed, 7, stream_.handle());
        workspace_.prepare(plan_, stream_.handle());
        stream_.synchronize();
        input_.copy_to_host(elements_.data(), input_.size());
        others_ = std::accumulate(elements_.begin() + 1, elements_.end(), std::uint32_t{0});
    }

    /// Enqueues a batch of calls.
    /// @param is_captured whether the calls are captured as the first ones of a graph
    void enqueue(bool is_captured) {
        for (std::uint64_t call = 0; call < batch; ++call) {
            const LaunchPlan plan = is_captured && call == 0 ? launch::without_leading_pdl(plan_) : plan_;
            launch::enqueue(kernel_, plan, {input_.address(), 0}, input_.address(), workspace_.address(),
                            stream_.handle());
        }
    }

    /// Waits for all calls and checks the first element and the workspace; `calls` is the number of calls made so far.
    /// @return an empty string, or what is wrong
    std::string check(std::uint64_t calls) {
        stream_.synchronize();
        std::uint32_t got = 0;
        input_.copy_to_host(&got, sizeof(got));
        const std::uint32_t expected = elements_[0] + static_cast<std::uint32_t>(calls) * others_;
        if (got != expected) {
            return "after " + std::to_string(calls) + " calls: expected " + std::to_string(expected) + ", got " +
                   std::to_string(got);
        }
        return workspace_.check(plan_).value_or("");
    }

    gpu::Stream& stream() { return stream_; }

  private:
    launch::LoadedKernel kernel_;
    LaunchPlan plan_;
    std::vector<std::uint32_t> elements_;
    std::uint32_t others_ = 0;
    gpu::Stream stream_;
    gpu::DeviceBuffer input_;
    timing::Workspace workspace_;
};

class Pdl : public ::testing::TestWithParam<std::uint64_t> {
  protected:
    void SetUp() override {
        const DeviceInfo& device = loaded_.device();
        if (device.compute_major < 9) GTEST_SKIP() << device.name << " has no programmatic dependent launch";
    }

    /// Returns one PDL candidate for each family, finish and block size, compiled.
    std::vector<Trial> pdl_trials() {
        std::set<std::string> seen;
        std::vector<Trial> chosen;
        for (Trial& trial : loaded_.trials(GetParam(), Regime::back_to_back)) {
            if (!trial.rule.pdl) continue;
            const Configuration& configuration = trial.configuration;
            std::string kind = configuration.family;
            for (const char* name : {"finish", "block"}) {
                if (const Value* value = configuration.find(name)) kind += " " + to_string(*value);
            }
            if (seen.insert(kind).second) chosen.push_back(std::move(trial));
        }
        loaded_.prepare(chosen);
        return chosen;
    }

    test_support::LoadedCandidates loaded_{make_problem("sum", Type::u32)};
};

TEST_P(Pdl, EveryCallSeesWhatThePreviousOneWrote) {
    std::set<std::string> finishes;
    for (const Trial& trial : pdl_trials()) {
        SCOPED_TRACE(to_string(trial.configuration));
        if (const Value* finish = trial.configuration.find("finish")) finishes.insert(to_string(*finish));
        DependentCalls dependent(loaded_, loaded_.load(trial), GetParam());
        std::uint64_t calls = 0;
        while (calls < pdl_calls()) {
            dependent.enqueue(false);
            ASSERT_EQ(dependent.check(calls += batch), "") << "launched one by one";
        }
        gpu::Graph graph = gpu::Graph::capture(dependent.stream(), [&](CUstream) { dependent.enqueue(true); });
        const std::uint64_t plain = calls;
        while (calls < plain + pdl_calls()) {
            graph.launch(dependent.stream());
            ASSERT_EQ(dependent.check(calls += batch), "") << "in graphs";
        }
    }
    EXPECT_GE(finishes.size(), GetParam() < 1 << 16 ? 0U : 7U)
        << "all finishes, from two_kernel to packed, have PDL candidates";
}

TEST_P(Pdl, NoCallIsFasterThanTheMemory) {
    const Problem problem = make_problem("sum", Type::u32);
    const gpu::NvmlDevice nvml(loaded_.device().uuid);
    timing::Timer timer(loaded_.kernels(), loaded_.inputs(), problem, loaded_.device(), nvml, loaded_.stream());
    for (const Trial& trial : pdl_trials()) {
        const Measurement measurement = timer.measure(timing::kernel_subject(loaded_.load(trial), problem, GetParam()),
                                                      {GetParam(), Regime::back_to_back}, {200, 10, 10, 0});
        EXPECT_EQ(measurement.status, Status::ok) << to_string(trial.configuration) << ": " << measurement.reason;
        const double gb_per_s = static_cast<double>(bytes_read(problem, GetParam())) / measurement.median_us * 1e-3;
        EXPECT_LE(gb_per_s, loaded_.device().peak_gb_per_s);
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Pdl, ::testing::Values(1U << 12, 1U << 18, 1U << 22),
                         [](const auto& test) { return format_size(test.param); });

}  // namespace
}  // namespace redtune
