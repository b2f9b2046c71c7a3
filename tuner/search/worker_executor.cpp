#include "tuner/search/worker_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "tuner/core/clock.h"
#include "tuner/core/size_list.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

/// As many workers may fail in a row without a trial that could be the cause.
constexpr int most_failed_starts = 3;
/// As many workers may die in one preparation. A second worker tries what may have been an accident.
constexpr int most_failed_preparations = 2;
/// A configuration that failed at this many sizes is not run at others.
constexpr std::size_t most_failed_sizes = 2;
/// Trials in one message. A trial takes less than 1 KiB.
constexpr std::size_t trials_per_message = 512;
/// Rounds of a trial that is run alone to see whether it fails.
constexpr int rounds_alone = 2;
/// A worker that has nothing to do ends within this time after its socket is closed; releasing a GPU takes some tenths
/// of a second.
constexpr std::chrono::milliseconds idle_worker_ends_within{2000};

std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
}

/// Returns a text that is the same for two trials only if they need the same kernels (launch/kernel_name.h).
std::string kernels_of(const Trial& trial) {
    return fmt::format("{} {} {}", to_string(trial.configuration), static_cast<int>(trial.rule.continuation),
                       trial.rule.combine_block);
}

/// Throws WorkerFailure unless the measurement is one that the database can store.
void check_measurement(const Measurement& measurement, Stage stage, const std::string& data) {
    const auto refuse = [](const std::string& what) {
        throw WorkerFailure(Status::fault, "the worker process sent a measurement " + what);
    };
    if (measurement.stage != stage) refuse("of another stage");
    if (measurement.data != data) refuse("on other data");
    if (measurement.status != Status::ok) return;
    const bool has_median = std::isfinite(measurement.median_us) && measurement.median_us > 0;
    const bool has_samples = !measurement.samples_us.empty() &&
                             std::ranges::all_of(measurement.samples_us, [](double us) { return std::isfinite(us); });
    if (!has_median || !has_samples) refuse("without a time");
}

}  // namespace

WorkerExecutor::WorkerExecutor(std::shared_ptr<const Capabilities> capabilities, const WorkerCommand& command,
                               WorkerTask task, const std::atomic<bool>& stop, const WorkerLimits& limits)
    : WorkerExecutor(
          std::move(capabilities), [command] { return std::make_unique<WorkerProcess>(command); }, std::move(task),
          stop, limits) {}

WorkerExecutor::WorkerExecutor(std::shared_ptr<const Capabilities> capabilities, StartWorker start, WorkerTask task,
                               const std::atomic<bool>& stop, const WorkerLimits& limits)
    : CapableExecutor(std::move(capabilities)),
      start_(std::move(start)),
      task_(std::move(task)),
      stop_(stop),
      limits_(limits) {}

WorkerExecutor::~WorkerExecutor() {
    WorkerExecutor::finish();
}

void WorkerExecutor::finish() {
    if (worker_ == nullptr) return;
    worker_->link().channel().close_for_sending();
    worker_->link().wait_for_end(idle_worker_ends_within, &stop_);
    worker_.reset();
}

std::unique_ptr<Executor> WorkerExecutor::make_compiler() {
    if (!compiles_beside_measurements_) return nullptr;
    WorkerTask task = task_;
    task.only_compiles = true;
    return std::make_unique<WorkerExecutor>(capabilities(), start_, std::move(task), stop_, limits_);
}

void WorkerExecutor::use_data(const timing::Data& data) {
    data_ = data;
    if (worker_ == nullptr) return;
    try {
        send_data();
    } catch (const WorkerFailure&) {
        end_worker();  // the next one begins with this data
    } catch (const Stopped&) {
        end_worker();
        throw;
    }
}

void WorkerExecutor::send_data() {
    const auto ready = worker_->ask<DataReady>(DataRequest{data_.argument}, limits_.silence_s);
    if (ready.name == data_.name) return;
    throw InputError(
        fmt::format("--data {}: the file changed while it was used; run the command again", data_.argument));
}

bool WorkerExecutor::is_prepared(const Trial& trial) const {
    return prepared_.contains(kernels_of(trial));
}

void WorkerExecutor::prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                             const std::atomic<bool>& stop) {
    std::set<std::string> names;
    std::vector<Trial> missing;
    for (const Trial& trial : trials) {
        std::string name = kernels_of(trial);
        if (prepared_.contains(name) || known_failure(trial, Stage::screen)) continue;
        if (names.insert(std::move(name)).second) missing.push_back(trial);
    }
    if (missing.empty()) return;
    for (int i = 0; i < most_failed_preparations && !stop; ++i) {
        try {
            if (worker_ == nullptr) start_worker();
            send_preparation(missing, progress);
            prepared_.merge(names);
            return;
        } catch (const Stopped&) {
            end_worker();
            return;
        } catch (const WorkerFailure&) {
            end_worker();
        }
    }
}

void WorkerExecutor::send_preparation(std::span<const Trial> trials,
                                      const std::function<void(const PrepareProgress&)>& progress) {
    while (trials.size() > trials_per_message) {
        const auto part = trials.first(trials_per_message);
        worker_->send(PrepareRequest{{part.begin(), part.end()}, false}, limits_.silence_s);
        trials = trials.subspan(trials_per_message);
    }
    spent_ +=
        worker_->ask<Prepared>(PrepareRequest{{trials.begin(), trials.end()}, true}, limits_.silence_s, progress).spent;
    is_warm_ = true;
}

Measurement WorkerExecutor::measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) {
    if (auto known = known_failure(trial, stage)) return std::move(*known);
    ready_worker();
    try {
        return ask(MeasureRequest{trial, n, regime, stage, best_us}, {&trial, 1}, stage, limit_s({&trial, 1}, n, 1))
            .front();
    } catch (const WorkerFailure& error) {
        return failed(trial, n, stage, error);
    }
}

/// Sends a request and returns one measurement for each trial. The worker has ended if this throws anything but
/// InputError.
std::vector<Measurement> WorkerExecutor::ask(const WorkerRequest& request, std::span<const Trial> trials, Stage stage,
                                             double limit_s) {
    try {
        worker_->send(request, limit_s);
        return receive(trials, stage, limit_s);
    } catch (const InputError&) {
        throw;
    } catch (const Error&) {
        end_worker();
        throw;
    }
}

/// Returns the measurements, one for each trial, that the next reply has.
std::vector<Measurement> WorkerExecutor::receive(std::span<const Trial> trials, Stage stage, double limit_s) {
    auto measured = worker_->receive<Measured>(limit_s);
    if (measured.measurements.size() != trials.size()) {
        throw WorkerFailure(Status::fault, fmt::format("the worker process sent {} measurements of {} trials",
                                                       measured.measurements.size(), trials.size()));
    }
    spent_ += measured.spent;
    for (const Measurement& each : measured.measurements) check_measurement(each, stage, data_.name);
    return std::move(measured.measurements);
}

/// Returns the time limit of a request that takes as long as this many screenings of each trial.
double WorkerExecutor::limit_s(std::span<const Trial> trials, std::uint64_t n, double screenings) const {
    const double work = limits_.screenings * screenings * static_cast<double>(trials.size()) * screening_seconds(n);
    const bool may_compile = !std::ranges::all_of(trials, [&](const Trial& trial) { return is_prepared(trial); });
    return std::max(limits_.least_measure_s, work) + (may_compile ? limits_.compile_s : 0);
}

/// Screens the trials of a queue and keeps the worker busy: while it measures a trial, it has the request for the next.
class WorkerExecutor::Screening {
  public:
    Screening(WorkerExecutor& executor, std::uint64_t n, Regime regime, ScreeningQueue& queue)
        : executor_(executor), n_(n), regime_(regime), queue_(queue) {}

    void run() {
        try {
            for (take_requests(); !in_hand_.empty(); take_requests()) {
                Measurement measurement = measure_first();
                in_hand_.pop_front();
                queue_.report(std::move(measurement));
            }
        } catch (...) {
            executor_.end_worker();  // it may be measuring a trial of which nobody wants to know any more
            throw;
        }
    }

  private:
    struct InHand {
        ScreeningRequest request;
        bool is_sent = false;
    };

    void take_requests() {
        while (in_hand_.size() < most_in_hand) {
            const auto request = queue_.next();
            if (!request) return;
            in_hand_.push_back({*request});
        }
    }

    Measurement measure_first() {
        const Trial& trial = *in_hand_.front().request.trial;
        if (!in_hand_.front().is_sent) {
            if (auto known = executor_.known_failure(trial, Stage::screen)) return std::move(*known);
        }
        executor_.ready_worker();
        try {
            send_requests();
            return executor_.receive({&trial, 1}, Stage::screen, limit_s(trial)).front();
        } catch (const WorkerFailure& error) {
            executor_.end_worker();
            for (InHand& each : in_hand_) each.is_sent = false;
            return executor_.failed(trial, n_, Stage::screen, error);
        }
    }

    /// Sends the requests that are not sent, up to one that is not to be sent or that cannot be sent.
    void send_requests() {
        for (InHand& each : in_hand_) {
            if (each.is_sent) continue;
            const auto& [trial, best_us] = each.request;
            const MeasureRequest request{*trial, n_, regime_, Stage::screen, best_us};
            if (&each == &in_hand_.front()) {
                executor_.worker_->send(request, limit_s(*trial));
            } else if (executor_.known_failure(*trial, Stage::screen) ||
                       !executor_.worker_->send_ahead(request, limit_s(*trial))) {
                return;
            }
            each.is_sent = true;
        }
    }

    double limit_s(const Trial& trial) const { return executor_.limit_s({&trial, 1}, n_, 1); }

    /// The trial that is measured, and the next one.
    static constexpr std::size_t most_in_hand = 2;

    WorkerExecutor& executor_;
    std::uint64_t n_;
    Regime regime_;
    ScreeningQueue& queue_;
    std::deque<InHand> in_hand_;
};

void WorkerExecutor::screen(std::uint64_t n, Regime regime, ScreeningQueue& queue) {
    Screening(*this, n, regime, queue).run();
}

/// A comparison of trials that may take the worker down.
class WorkerExecutor::Comparison {
  public:
    Comparison(WorkerExecutor& executor, std::span<const Trial> trials, std::uint64_t n, Regime regime, int rounds)
        : executor_(executor), trials_(trials), n_(n), regime_(regime), rounds_(rounds), measurements_(trials.size()) {
        for (std::size_t i = 0; i < trials.size(); ++i) {
            if (auto known = executor.known_failure(trials[i], Stage::final)) {
                measurements_[i] = std::move(*known);
            } else {
                left_.push_back(i);
            }
        }
    }

    std::vector<Measurement> run() {
        while (!left_.empty() && !compare_left()) {
            if (remove_failing()) continue;
            for (const std::size_t i : left_) run_alone(i, rounds_);
            break;
        }
        return std::move(measurements_);
    }

  private:
    /// Compares the trials that are left. @return false if the worker was lost
    bool compare_left() {
        std::vector<Trial> trials;
        for (const std::size_t i : left_) trials.push_back(trials_[i]);
        executor_.ready_worker();
        try {
            std::vector<Measurement> compared = ask(trials, rounds_);
            for (std::size_t i = 0; i < left_.size(); ++i) measurements_[left_[i]] = std::move(compared[i]);
            return true;
        } catch (const WorkerFailure& error) {
            if (left_.size() > 1) return false;
            measurements_[left_.front()] = executor_.failed(trials_[left_.front()], n_, Stage::final, error);
            return true;
        }
    }

    /// Runs each trial that is left alone and removes those that fail. @return whether there are any
    bool remove_failing() {
        return std::erase_if(left_, [&](std::size_t i) { return !run_alone(i, std::min(rounds_, rounds_alone)); }) != 0;
    }

    /// @return whether the worker survived
    bool run_alone(std::size_t i, int rounds) {
        executor_.ready_worker();
        try {
            measurements_[i] = std::move(ask({trials_[i]}, rounds).front());
            return true;
        } catch (const WorkerFailure& error) {
            measurements_[i] = executor_.failed(trials_[i], n_, Stage::final, error);
            return false;
        }
    }

    std::vector<Measurement> ask(const std::vector<Trial>& trials, int rounds) {
        const double screenings = std::max(1.0, rounds / static_cast<double>(timing::screen_samples));
        return executor_.ask(CompareRequest{trials, n_, regime_, static_cast<std::uint32_t>(rounds)}, trials,
                             Stage::final, executor_.limit_s(trials, n_, screenings));
    }

    WorkerExecutor& executor_;
    std::span<const Trial> trials_;
    std::uint64_t n_;
    Regime regime_;
    int rounds_;
    std::vector<Measurement> measurements_;
    std::vector<std::size_t> left_;  ///< indices of the trials that have not failed
};

std::vector<Measurement> WorkerExecutor::compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                                 int rounds) {
    return Comparison(*this, trials, n, regime, rounds).run();
}

Measurement WorkerExecutor::failure(Stage stage, Status status, std::string reason) const {
    Measurement measurement;
    measurement.status = status;
    measurement.stage = stage;
    measurement.reason = std::move(reason);
    measurement.measured_at = utc_now();
    measurement.data = data_.name;
    return measurement;
}

Measurement WorkerExecutor::failed(const Trial& trial, std::uint64_t n, Stage stage, const WorkerFailure& error) {
    if (is_harmful(error.status())) failures_[to_string(trial.configuration)].emplace(n, error.status());
    return failure(stage, error.status(), error.what());
}

std::optional<Measurement> WorkerExecutor::known_failure(const Trial& trial, Stage stage) const {
    if (failures_.empty()) return std::nullopt;
    const auto found = failures_.find(to_string(trial.configuration));
    if (found == failures_.end() || found->second.size() < most_failed_sizes) return std::nullopt;
    const auto& [n, status] = *found->second.begin();
    return failure(
        stage, status,
        fmt::format("not run, because it failed at n = {} ({}) and at other sizes", format_size(n), to_string(status)));
}

/// Returns a worker that can measure. @throws ExecutorLost if none can be started
Worker& WorkerExecutor::ready_worker() {
    std::string why;
    for (int i = 0; i < most_failed_starts; ++i) {
        try {
            if (worker_ == nullptr) start_worker();
            // Runs kernels of redtune's own, so that a device that is lost is not taken for the fault of a trial.
            if (!is_warm_) send_preparation({}, {});
            return *worker_;
        } catch (const WorkerFailure& error) {
            why = error.what();
            end_worker();
        } catch (const Stopped&) {
            end_worker();
            throw;
        }
    }
    throw ExecutorLost(
        fmt::format("{} worker processes in a row failed before they measured anything: {}; `redtune doctor` says "
                    "whether the device can be used",
                    most_failed_starts, why));
}

void WorkerExecutor::start_worker() {
    wait_for_ended_workers();
    if (stop_) throw Stopped();
    is_warm_ = false;
    try {
        worker_ = std::make_unique<Worker>(start_(), stop_);
    } catch (const DeviceError& error) {
        throw ExecutorLost(error.what());
    }
    open_worker();
}

void WorkerExecutor::open_worker() {
    const auto opened = worker_->ask<Opened>(OpenRequest{task_}, limits_.open_s);
    if (opened != Opened{device().name, device().uuid, source(), toolchain()}) {
        throw ExecutorLost(
            fmt::format("the worker process measures on {} ({}, driver {}, NVRTC {}), not on {}; was the driver or "
                        "redtune replaced "
                        "while this command ran? Run it again",
                        opened.device, opened.source, opened.toolchain.driver_version, opened.toolchain.nvrtc_version,
                        device().name));
    }
    if (!data_.is_uniform()) send_data();
}

void WorkerExecutor::end_worker() {
    if (worker_ == nullptr) return;
    worker_->link().kill();
    ended_.push_back(std::move(worker_));
}

/// Waits until the killed workers have released the device; not for ever, because the driver may hold a process.
void WorkerExecutor::wait_for_ended_workers() {
    for (const auto& worker : ended_) worker->link().wait_for_end(milliseconds(limits_.end_s), &stop_);
    std::erase_if(ended_, [](const auto& worker) {
        return worker->link().wait_for_end(std::chrono::milliseconds(0)).has_value();
    });
}

}  // namespace redtune::search
