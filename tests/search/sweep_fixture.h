#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"
#include "tuner/search/sweep.h"
#include "tuner/timing/early_stop.h"

namespace redtune::search {

inline constexpr const char* front_matter = R"(/*redtune
family = "fake"
[compile]
block = [32, 64, 128, 256]
[launch]
blocks_per_sm = [1, 2]
[derived]
tile = "block"
grid = "'blocks_per_sm'"
*/)";

/// An executor that measures nothing: the time of a trial is computed from its configuration.
class FakeExecutor : public Executor {
  public:
    const DeviceInfo& device() const override { return device_; }
    const ToolchainInfo& toolchain() const override { return toolchain_; }
    std::string source() const override { return "gpu"; }
    std::optional<std::string> refuses(std::uint64_t n, Regime) const override {
        return n > (1 << 24) ? std::optional<std::string>("too large") : std::nullopt;
    }
    std::optional<std::string> refuses_family(const std::string& family, std::span<const std::uint64_t>,
                                              std::span<const Regime>) const override {
        return family == "unknown" ? std::optional<std::string>("it is not known") : std::nullopt;
    }
    bool offers(const Trial&, std::uint64_t, Regime) const override { return true; }
    bool offers_data(const timing::Data&) const override { return true; }
    void use_data(const timing::Data& data) override { data_ = data.name; }
    double screening_seconds(std::uint64_t) const override { return 0.001; }
    double compile_seconds() const override { return 0.01; }
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>&,
                 const std::atomic<bool>&) override {
        prepared += trials.size();
        for (const Trial& trial : trials) prepared_names.insert(to_string(trial.configuration));
    }

    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override {
        const std::string name = to_string(trial.configuration);
        if (!prepared_names.contains(name)) not_prepared.insert(name);
        measured_names.insert(name);
        if (stop_after != 0 && ++measured == stop_after) *stop = true;
        spent_[timing::timing_at(stage)] += seconds_of_measurement;
        if (name == loses_device) throw DeviceError("CUDA_ERROR_ILLEGAL_ADDRESS");
        Measurement measurement;
        measurement.stage = stage;
        measurement.data = data_;
        measurement.measured_at = "2026-01-01T00:00:00Z";
        if (failing.contains(name) || failing_at[stage].contains(name)) {
            measurement.status = Status::wrong;
            measurement.reason = "expected 1, got 2";
            return measurement;
        }
        if (stage != Stage::screen) later_bounds.insert(best_us);
        measurement.samples_us.assign(12, time_us(trial, n, regime) + delay_us(data_, trial));
        if (timing::is_hopeless(measurement.samples_us, best_us)) measurement.samples_us.resize(2);
        summarise(measurement);
        measurement.resources.registers = 32;
        return measurement;
    }

    void skip_hard_sizes(const Trial& trial) override { skips_hard_sizes.insert(to_string(trial.configuration)); }

    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime, int) override {
        std::vector<Measurement> measurements;
        for (const Trial& trial : trials) measurements.push_back(measure(trial, n, regime, Stage::final, 0));
        return measurements;
    }

    timing::TimeSpent take_spent() override { return std::exchange(spent_, {}); }

    /// Measures on another GPU of the same device from now on.
    void use_unit(const std::string& uuid) { device_.uuid = uuid; }

    /// Measures with another version of the driver from now on.
    void use_driver(const std::string& version) { toolchain_.driver_version = version; }

    /// The time that take_spent() reports for each measurement.
    static constexpr double seconds_of_measurement = 1e-3;

    std::size_t prepared = 0;
    std::set<std::string> prepared_names;  // configurations
    std::set<std::string> measured_names;
    std::set<std::string> not_prepared;  // measured, though they were not prepared
    std::set<std::string> skips_hard_sizes;
    std::size_t stop_after = 0;
    std::size_t measured = 0;
    std::atomic<bool>* stop = nullptr;
    std::set<std::string> failing;
    std::map<Stage, std::set<std::string>> failing_at;  // trials that fail at one stage only
    std::string loses_device;
    std::map<std::string, double> slowdown;  // time in us that is added to every trial of a family
    /// Returns the time of a trial. Block 128 with 2 blocks per SM is the fastest, by at least 3 %.
    std::function<double(const Trial&, std::uint64_t, Regime)> time_us = [this](const Trial& trial, std::uint64_t n,
                                                                                Regime) {
        return slowdown[trial.configuration.family] + 1 + static_cast<double>(n) / 1e6 +
               std::abs(static_cast<double>(trial.rule.block) - 128) / 256 + 0.1 / trial.rule.blocks_per_sm;
    };
    /// Returns how much longer, in us, a trial takes on this data than on uniform data.
    std::function<double(const std::string&, const Trial&)> delay_us = [](const std::string&, const Trial&) {
        return 0.0;
    };
    std::set<double> later_bounds;  // values of best_us in the stages after the screening

  private:
    std::string data_ = "uniform";
    timing::TimeSpent spent_;
    DeviceInfo device_ = redtune::test_support::h200();
    ToolchainInfo toolchain_{"0.1", "13.0", "580"};
};

class SweepTest : public ::testing::Test {
  protected:
    SweepTest() { families_[0].code_hash = "hash"; }

    Sweep sweep(bool resume = true) {
        return {executor_,
                store_,
                families_,
                {make_problem("sum", Type::f32), {1 << 18, 1 << 20}, {Regime::cold}, resume, "test"}};
    }
    std::string winner(std::uint64_t n) {
        const auto found =
            store_.winner(executor_.device(), make_problem("sum", Type::f32), n, Regime::cold, Determinism::any);
        return found ? to_string(found->measurement.configuration) : "";
    }
    std::size_t stored(std::uint64_t n) {
        return store_.measurements(executor_.device(), make_problem("sum", Type::f32), n, Regime::cold).size();
    }

    db::TemporaryFolder folder_;
    db::Store store_ = db::Store::open(folder_ / "test.db", db::Access::read_write);
    std::vector<Family> families_{parse_families("fake.cuh", front_matter).front()};
    FakeExecutor executor_;
    std::atomic<bool> stop_ = false;
};

}  // namespace redtune::search
