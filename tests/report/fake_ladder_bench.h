#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/devices.h"
#include "tuner/report/ladder_bench.h"

namespace redtune::report {

/// A bench that pretends to be an H200. The time of a trial depends on its configuration; the first kernel takes
/// `rest_us` less than the call.
class FakeLadderBench : public LadderBench {
  public:
    const DeviceInfo& device() const override { return device_; }

    void begin(const Problem& problem, std::uint64_t n) override {
        problems.push_back(problem);
        sizes.push_back(n);
        prepared_.clear();
    }

    void prepare(std::span<const Trial> trials) override {
        for (const Trial& trial : trials) prepared_.insert(name_of(trial));
    }

    Measurement measure_call(const Trial& trial, Stage stage) override {
        Measurement measurement = measure(trial, us(trial.configuration));
        measurement.stage = stage;
        // A trial that was not screened before gets a failed measurement, because its caller must check the results
        // first.
        if (stage == Stage::screen) {
            screened_.insert(name_of(trial));
            measurement.median_us *= 1.25;  // a screening's times are not those to show
        } else if (!screened_.contains(name_of(trial))) {
            measurement.status = Status::wrong;
            measurement.reason = "timed before it was checked";
        }
        return measurement;
    }

    Measurement measure_first_kernel(const Trial& trial) override {
        return measure(trial, us(trial.configuration) - rest_us);
    }

    std::function<double(const Configuration&)> us = [](const Configuration& configuration) {
        return 50 + 10.0 * static_cast<double>(configuration.family.size());
    };
    std::set<std::string> wrong;                ///< families whose results are wrong
    std::function<void()> before_each = [] {};  ///< runs before each measurement
    double rest_us = 4;
    std::vector<Problem> problems;  ///< problems of the calls of begin()
    std::vector<std::uint64_t> sizes;

  private:
    static std::string name_of(const Trial& trial) { return to_string(trial.configuration); }

    Measurement measure(const Trial& trial, double median_us) {
        before_each();
        Measurement measurement;
        if (!prepared_.contains(name_of(trial))) {
            measurement.status = Status::launch_error;
            measurement.reason = "measured before it was prepared";
        } else if (wrong.contains(trial.configuration.family)) {
            measurement.status = Status::wrong;
            measurement.reason = "expected 1, got 2";
        } else {
            measurement.median_us = median_us;
        }
        return measurement;
    }

    DeviceInfo device_ = test_support::h200();
    std::set<std::string> prepared_;
    std::set<std::string> screened_;
};

}  // namespace redtune::report
