#include "tuner/search/worker_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tuner/core/clock.h"
#include "tuner/core/size_list.h"

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

void WorkerExecutor::begin_warm_up() {
    if (worker_ != nullptr || opening_ != nullptr) return;
    try {
        opening_ = start_worker();
    } catch (const Error&) {
        return;  // the first request fails for the same reason
    }
}

void WorkerExecutor::begin_finish() {
    opening_.reset();
    if (worker_ == nullptr) return;
    worker_->link().channel().close_for_sending();
    ending_ = std::move(worker_);
}

void WorkerExecutor::finish() {
    begin_finish();
    if (ending_ == nullptr) return;
    ending_->link().wait_for_end(idle_worker_ends_within, &stop_);
    ending_.reset();
}

std::unique_ptr<Executor> WorkerExecutor::make_compiler() {
    if (most_compilers_ == 0) return nullptr;
    WorkerTask task = task_;
    task.compiles_for = device().architecture();
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
            if (worker_ == nullptr) open_worker();
            send_preparation(missing, progress, &stop);
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
                                      const std::function<void(const PrepareProgress&)>& progress,
                                      const std::atomic<bool>* stop) {
    while (trials.size() > trials_per_message) {
        const auto part = trials.first(trials_per_message);
        worker_->send(PrepareRequest{{part.begin(), part.end()}, false}, limits_.silence_s);
        trials = trials.subspan(trials_per_message);
    }
    const PrepareRequest last{{trials.begin(), trials.end()}, true};
    spent_ += worker_->ask<Prepared>(last, limits_.silence_s, progress, stop).spent;
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
    for (const Trial& trial : trials) prepared_.insert(kernels_of(trial));
    return std::move(measured.measurements);
}

/// Returns the time limit of a request that takes as long as this many screenings of each trial.
/// @param may_compile whether the kernels of trials that were not prepared may have to be compiled
double WorkerExecutor::limit_s(std::span<const Trial> trials, std::uint64_t n, double screenings,
                               bool may_compile) const {
    const double work = limits_.screenings * screenings * static_cast<double>(trials.size()) * screening_seconds(n);
    may_compile = may_compile && !std::ranges::all_of(trials, [&](const Trial& trial) { return is_prepared(trial); });
    return std::max(limits_.least_measure_s, work) + (may_compile ? limits_.compile_s : 0);
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
            if (worker_ == nullptr) open_worker();
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

/// Starts a worker and sends it its task.
std::unique_ptr<Worker> WorkerExecutor::start_worker() {
    finish();
    wait_for_ended_workers();
    if (stop_) throw Stopped();
    try {
        auto worker = std::make_unique<Worker>(start_(), stop_);
        worker->send(OpenRequest{task_}, limits_.open_s);
        return worker;
    } catch (const DeviceError& error) {
        throw ExecutorLost(error.what());
    }
}

/// Starts a worker, unless one was started, and waits until it has opened the device.
void WorkerExecutor::open_worker() {
    is_warm_ = false;
    worker_ = opening_ == nullptr ? start_worker() : std::move(opening_);
    const auto opened = worker_->receive<Opened>(limits_.open_s);
    if (!is_as_planned(opened)) {
        throw ExecutorLost(
            fmt::format("the worker process measures on {} ({}, driver {}, NVRTC {}), not on {}; was the driver or "
                        "redtune replaced "
                        "while this command ran? Run it again",
                        opened.device, opened.source, opened.toolchain.driver_version, opened.toolchain.nvrtc_version,
                        device().name));
    }
    if (!data_.is_uniform()) send_data();
}

/// Returns whether a worker has the device and the toolchain of this process.
bool WorkerExecutor::is_as_planned(const Opened& opened) const {
    if (task_.compiles_for.empty()) return opened == Opened{device().name, device().uuid, source(), toolchain()};
    return opened.toolchain.redtune_version == toolchain().redtune_version &&
           opened.toolchain.nvrtc_version == toolchain().nvrtc_version;
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
