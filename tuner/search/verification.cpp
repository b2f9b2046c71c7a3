#include "tuner/search/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "redtune/error.h"
#include "tuner/core/statistics.h"
#include "tuner/search/choose.h"
#include "tuner/search/conditions.h"
#include "tuner/search/stored_trial.h"

namespace redtune::search {

namespace {

const Family* find_family(const std::vector<Family>& families, const std::string& name) {
    const auto found = std::ranges::find(families, name, &Family::name);
    return found == families.end() ? nullptr : &*found;
}

/// Verifies one winner.
class Verifier {
  public:
    Verifier(const StoredCell& cell, Executor& executor, const std::vector<Family>& families,
             const VerifyOptions& options)
        : cell_(cell), executor_(executor), families_(families), options_(options), winner_(cell.winner) {
        result_.stored_us = winner_.measurement.measurement.median_us;
    }

    Verification run() {
        try {
            if (const auto why = why_not_measurable()) {
                fail(*why);
            } else if (measure()) {
                judge();
            }
        } catch (const InputError& error) {
            fail(error.what());
        }
        return std::move(result_);
    }

  private:
    void fail(const std::string& why) {
        result_.verdict = Verdict::cannot_run;
        result_.reasons = {why};
        std::ranges::move(what_differs({}), std::back_inserter(result_.reasons));
    }

    std::optional<std::string> why_not_measurable() const {
        const std::string& family = winner_.measurement.configuration.family;
        if (find_family(families_, family) == nullptr) return fmt::format("there is no family {} any more", family);
        const std::string& data = winner_.measurement.measurement.data;
        if (data.starts_with("file:")) return fmt::format("it was measured on {}, which is not stored", data);
        return executor_.refuses(winner_.n, winner_.regime);
    }

    /// Returns why a trial cannot be timed; nullopt if its results are right.
    std::optional<std::string> check(const Trial& trial) {
        if (!executor_.offers(trial, winner_.n, winner_.regime)) return "the recording has no time of it";
        try {
            const Measurement checked = executor_.measure(trial, winner_.n, winner_.regime, Stage::screen, 0);
            return checked.status == Status::ok ? std::nullopt : std::optional(checked.reason);
        } catch (const InputError& error) {
            return error.what();
        }
    }

    /// Measures the winner and the rivals whose results are right.
    /// @return false if the winner cannot be measured
    bool measure() {
        executor_.use_data(timing::parse_data(winner_.measurement.measurement.data, winner_.problem));
        for (const Trial& trial : trials_of(cell_, families_)) {
            const std::optional<std::string> why = check(trial);
            if (why && trials_.empty()) {
                fail(*why);
                return false;
            }
            if (!why) trials_.push_back(trial);
        }
        now_ = executor_.compare(trials_, winner_.n, winner_.regime, options_.rounds);
        if (now_.front().status == Status::ok) return true;
        fail(now_.front().reason);
        return false;
    }

    void judge() {
        result_.now_us = now_.front().median_us;
        const double ratio = result_.now_us / result_.stored_us;
        find_best_now();
        if (is_no_longer_best()) {
            result_.verdict = Verdict::no_longer_best;
        } else if (ratio > 1 + options_.tolerance) {
            result_.verdict = Verdict::slower;
        } else if (ratio < 1 / (1 + options_.tolerance)) {
            result_.verdict = Verdict::faster;
        }
        if (result_.verdict == Verdict::ok) return;
        if (result_.best_now) {
            result_.reasons.push_back(fmt::format("{:.1f} % less time: {}",
                                                  100 * (1 - result_.best_now->us / result_.now_us),
                                                  to_string(result_.best_now->configuration)));
        }
        std::vector<std::string> differing = what_differs(now_.front().circumstances);
        if (differing.empty()) differing.emplace_back("nothing recorded differs");
        std::ranges::move(differing, std::back_inserter(result_.reasons));
        if (const auto others = change_of_rivals()) {
            result_.reasons.push_back(fmt::format("the other finalists take {:.2f} times their stored time", *others));
        }
    }

    void find_best_now() {
        std::size_t best = 0;
        for (std::size_t i = 1; i < now_.size(); ++i) {
            if (now_[i].status == Status::ok && now_[i].median_us < now_[best].median_us) best = i;
        }
        if (now_.front().median_us <= tie_ratio * now_[best].median_us) return;
        if (paired_ratio_interval(now_.front().samples_us, now_[best].samples_us).low <= 1) return;
        result_.best_now = BetterNow{trials_[best].configuration, now_[best].median_us};
    }

    bool is_no_longer_best() const {
        if (!result_.best_now) return false;
        double stored_ratio = 1;
        for (const DataRatio& each : winner_.data) {
            if (each.data == winner_.measurement.measurement.data) stored_ratio = each.ratio.value_or(1);
        }
        stored_ratio = std::max(stored_ratio, winner_.spread.value_or(1));
        return result_.now_us / result_.best_now->us > stored_ratio * (1 + options_.tolerance);
    }

    /// Returns the median over the rivals of the new time / the stored time, of rivals that were measured on the
    /// winner's unit; nullopt if there are none.
    std::optional<double> change_of_rivals() const {
        std::vector<double> changes;
        for (std::size_t i = 1; i < now_.size(); ++i) {
            const auto stored =
                std::ranges::find(cell_.rivals, trials_[i].configuration, &db::StoredMeasurement::configuration);
            const bool is_comparable = now_[i].status == Status::ok && stored->unit == winner_.measurement.unit;
            if (is_comparable) changes.push_back(now_[i].median_us / stored->measurement.median_us);
        }
        return changes.empty() ? std::nullopt : std::optional(median(changes));
    }

    std::vector<std::string> what_differs(const Circumstances& now) const {
        const db::StoredMeasurement& measured = winner_.measurement;
        Conditions then{winner_.source, winner_.toolchain, measured.code_hash, winner_.device,
                        measured.measurement.circumstances};
        then.device.uuid = measured.unit;
        const Family* family = find_family(families_, measured.configuration.family);
        return differences(then, {executor_.source(), executor_.toolchain(), family == nullptr ? "" : family->code_hash,
                                  executor_.device(), now});
    }

    const StoredCell& cell_;
    Executor& executor_;
    const std::vector<Family>& families_;
    const VerifyOptions& options_;
    const db::StoredWinner& winner_;
    std::vector<Trial> trials_;     ///< the winner and the rivals that can be measured
    std::vector<Measurement> now_;  ///< one for each of `trials_`
    Verification result_;
};

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::ok:
            return "ok";
        case Verdict::slower:
            return "slower";
        case Verdict::faster:
            return "faster";
        case Verdict::no_longer_best:
            return "no_longer_best";
        case Verdict::cannot_run:
            return "cannot_run";
    }
    return "";
}

std::vector<Trial> trials_of(const StoredCell& cell, const std::vector<Family>& families) {
    const db::StoredMeasurement& winner = cell.winner.measurement;
    std::vector<Trial> trials = {stored_trial(winner, families)};
    for (const db::StoredMeasurement& rival : cell.rivals) {
        if (find_family(families, rival.configuration.family) != nullptr) {
            trials.push_back(stored_trial(rival, families));
        }
    }
    return trials;
}

Verification verify(const StoredCell& cell, Executor& executor, const std::vector<Family>& families,
                    const VerifyOptions& options) {
    return Verifier(cell, executor, families, options).run();
}

}  // namespace redtune::search
