#include "tuner/report/measure_ladder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "db/space.h"
#include "redtune/error.h"
#include "tuner/core/configuration.h"
#include "tuner/core/launch_rule.h"
#include "tuner/jit/source_set.h"
#include "tuner/report/nearest_candidate.h"
#include "tuner/search/choose.h"

namespace redtune::report {

namespace {

/// Returns the families of the problem's shape that represent redtune in ladders. The last row of a ladder is their
/// fastest candidate.
std::vector<const Family*> redtune_families(const std::vector<Family>& families, const Problem& problem) {
    const std::string_view shape = to_string(shape_of(problem).kind());
    std::vector<const Family*> own;
    for (const Family& family : families) {
        const bool fits = std::find(family.shapes.begin(), family.shapes.end(), shape) != family.shapes.end();
        if (fits && family.role.represents_redtune) own.push_back(&family);
    }
    return own;
}

/// Measures the steps of one ladder and redtune's own kernels.
class LadderRun {
  public:
    LadderRun(const LadderSetup& setup, const std::vector<Family>& families, LadderBench& bench,
              const std::function<void(const std::string&)>& say, const std::atomic<bool>& stop)
        : setup_(setup), families_(families), bench_(bench), say_(say), stop_(stop) {}

    LadderResult run() {
        bench_.begin(setup_.problem, setup_.n);
        const std::vector<std::optional<Trial>> steps = step_trials();
        const std::vector<Trial> own = redtune_trials();
        std::vector<Trial> all = own;
        for (const auto& trial : steps) {
            if (trial) all.push_back(*trial);
        }
        bench_.prepare(all);

        for (std::size_t i = 0; i < steps.size() && !stop_; ++i) {
            LadderTimes times;
            times.family = setup_.steps[i].family;
            if (steps[i]) {
                times.configuration = to_string(steps[i]->configuration);
                // Only a screening checks the results; later stages only take times.
                if (median_of(measure_call(*steps[i], Stage::screen), times)) measure(*steps[i], times);
            } else {
                report_failure(times,
                               "no candidate for this problem and size on this device; `redtune families` shows why");
            }
            if (!stop_) result_.steps.push_back(std::move(times));
        }
        if (!stop_) measure_redtune(own);
        return std::move(result_);
    }

  private:
    std::vector<std::optional<Trial>> step_trials() const {
        std::vector<std::optional<Trial>> trials;
        for (const LadderStep& step : setup_.steps) {
            const Family& family = jit::find_family(families_, step.family);
            auto candidate =
                nearest_candidate(db::candidates(family, bench_.device(), setup_.problem, setup_.n), step.parameters);
            auto& trial = trials.emplace_back();
            if (candidate) trial = *candidate;
        }
        return trials;
    }

    std::vector<Trial> redtune_trials() const {
        std::vector<Trial> trials;
        for (const Family* family : redtune_families(families_, setup_.problem)) {
            for (const Candidate& candidate : db::candidates(*family, bench_.device(), setup_.problem, setup_.n)) {
                trials.push_back(candidate);
            }
        }
        return trials;
    }

    /// Times a trial that has passed its screening.
    void measure(const Trial& trial, LadderTimes& times) {
        times.configuration = to_string(trial.configuration);
        times.family = trial.configuration.family;
        times.trial = trial;
        if (stop_) return;
        times.call_us = median_of(measure_call(trial, Stage::survivor), times);
        if (stop_ || !times.call_us) return;
        const LaunchPlan plan = make_plan(trial.rule, extents_of(setup_.problem, setup_.n));
        // If a reduction launches only one kernel, the time of the call is the time of that kernel.
        times.kernel_us = plan.count == 1 ? times.call_us : median_of(measure_first_kernel(trial), times);
    }

    void measure_redtune(const std::vector<Trial>& trials) {
        LadderTimes times;
        std::vector<std::string> own;
        for (const Family* family : redtune_families(families_, setup_.problem)) own.push_back(family->name);
        const std::string names = fmt::format("{}", fmt::join(own, ", "));
        say_(fmt::format("{}: screening {} candidates of {}", setup_.name, trials.size(), names));
        std::vector<Measurement> screened;
        for (const Trial& trial : trials) {
            if (stop_) return;
            screened.push_back(measure_call(trial, Stage::screen));
            LadderTimes candidate;
            candidate.configuration = to_string(trial.configuration);
            median_of(screened.back(), candidate);
        }
        const std::vector<std::size_t> best = search::near_best(screened, 0, 1);
        if (best.empty()) {
            report_failure(times, fmt::format("no candidate of {} is left", names));
        } else {
            measure(trials[best.front()], times);
        }
        if (!stop_) result_.redtune = std::move(times);
    }

    /// Returns the median of a measurement. If the measurement failed, reports and counts the failure and returns
    /// nothing.
    std::optional<double> median_of(const Measurement& measurement, LadderTimes& times) {
        if (measurement.status == Status::ok) return measurement.median_us;
        report_failure(times, fmt::format("{}: {}", to_string(measurement.status), measurement.reason));
        return std::nullopt;
    }

    void report_failure(LadderTimes& times, const std::string& why) {
        const std::string& what = times.configuration.empty() ? times.family : times.configuration;
        say_(fmt::format("{}: {}: {}", setup_.name, what.empty() ? "redtune" : what, why));
        ++result_.failed;
    }

    Measurement measure_call(const Trial& trial, Stage stage) {
        return naming_trial_in_errors(trial, [&] { return bench_.measure_call(trial, stage); });
    }
    Measurement measure_first_kernel(const Trial& trial) {
        return naming_trial_in_errors(trial, [&] { return bench_.measure_first_kernel(trial); });
    }

    template <class Measure>
    Measurement naming_trial_in_errors(const Trial& trial, Measure measure) const {
        try {
            return measure();
        } catch (const DeviceError& error) {
            throw DeviceError(
                fmt::format("{} made the device unusable: {}", to_string(trial.configuration), error.what()));
        }
    }

    const LadderSetup& setup_;
    const std::vector<Family>& families_;
    LadderBench& bench_;
    const std::function<void(const std::string&)>& say_;
    const std::atomic<bool>& stop_;
    LadderResult result_;
};

}  // namespace

LadderResult measure_ladder(const LadderSetup& setup, const std::vector<Family>& families, LadderBench& bench,
                            const std::function<void(const std::string&)>& say, const std::atomic<bool>& stop) {
    return LadderRun(setup, families, bench, say, stop).run();
}

}  // namespace redtune::report
