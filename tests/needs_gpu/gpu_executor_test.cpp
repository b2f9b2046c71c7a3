#include "tuner/search/gpu_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tuner/timing/data.h"

namespace redtune::search {
namespace {

constexpr std::uint64_t small_n = 6007;
constexpr std::uint64_t large_n = 1000003;

class GpuExecutorOnGpu : public testing::Test {
  protected:
    GpuExecutorOnGpu() {
        const std::vector<Trial> all = test_support::LoadedCandidates(problem_).trials(large_n);
        for (std::size_t i = 0; i < all.size(); i += all.size() / 12) trials_.push_back(all[i]);
        executor_.prepare(trials_, {}, never_);
    }

    Status status(const Trial& trial, std::uint64_t n, Stage stage) {
        const Measurement measurement = executor_.measure(trial, n, Regime::cold, stage, 0);
        EXPECT_EQ(measurement.status, Status::ok) << to_string(trial.configuration) << ": " << measurement.reason;
        return measurement.status;
    }

    Problem problem_ = make_problem("sum", Type::f32);
    gpu::Device device_ = gpu::device_at(0);
    jit::SourceSet sources_ = jit::SourceSet::load();
    jit::CubinCache cache_{jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes()};
    GpuExecutor executor_{device_, problem_, large_n, sources_, cache_};
    std::vector<Trial> trials_;
    std::atomic<bool> never_ = false;
};

TEST_F(GpuExecutorOnGpu, TrialsThatWereExpectedAreMeasuredAsOthers) {
    for (const Stage stage : {Stage::screen, Stage::survivor}) {
        for (const std::uint64_t n : {small_n, large_n, small_n}) {
            for (std::size_t i = 0; i < trials_.size(); ++i) {
                if (i + 1 < trials_.size()) executor_.expect(trials_[i + 1], n, Regime::cold, stage);
                status(trials_[i], n, stage);
            }
        }
    }
}

TEST_F(GpuExecutorOnGpu, AnotherCallThanTheExpectedOneDoesNoHarm) {
    executor_.expect(trials_[1], large_n, Regime::cold, Stage::screen);
    status(trials_[0], small_n, Stage::screen);
    status(trials_[2], large_n, Stage::screen);

    executor_.expect(trials_[1], large_n, Regime::cold, Stage::screen);
    status(trials_[0], large_n, Stage::screen);
    for (const Measurement& each : executor_.compare(trials_, large_n, Regime::cold, 2)) {
        EXPECT_EQ(each.status, Status::ok) << each.reason;
    }
    status(trials_[1], large_n, Stage::screen);

    executor_.expect(trials_[1], large_n, Regime::cold, Stage::survivor);
    status(trials_[0], large_n, Stage::screen);
    executor_.use_data(timing::parse_data("outlier", problem_));
    status(trials_[1], large_n, Stage::survivor);

    Trial unknown = trials_[0];
    unknown.configuration.family = "no_such_family";
    executor_.expect(unknown, large_n, Regime::cold, Stage::screen);
    status(trials_[0], large_n, Stage::screen);
    status(trials_[1], large_n, Stage::screen);
}

}  // namespace
}  // namespace redtune::search
