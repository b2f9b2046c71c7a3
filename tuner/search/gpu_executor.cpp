#include "tuner/search/gpu_executor.h"

#include <exception>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "tuner/core/clock.h"
#include "tuner/timing/constants.h"
#include "tuner/timing/early_stop.h"

namespace redtune::search {

namespace {

timing::Precision precision_of(Stage stage, double best_us) {
    using namespace timing;
    if (stage == Stage::screen) return {screen_graph_us, int{screen_samples}, int{screen_samples}, 0, best_us, false};
    return {long_graph_us, survivor_min_samples, survivor_max_samples, target_interval, best_us};
}

Measurement failure(Status status, std::string reason) {
    Measurement measurement;
    measurement.status = status;
    measurement.reason = std::move(reason);
    measurement.measured_at = utc_now();
    return measurement;
}

/// Opens a context, and compiles the support kernels meanwhile, because both take some tenths of a second. An error of
/// the compiler comes again when the kernels are needed.
gpu::Context open_context(int ordinal, jit::Compiler& compiler, const Problem& problem) {
    const std::jthread compiling([&] {
        try {
            compiler.compile(timing::support_kernel_names(problem));
        } catch (const Error&) {
            return;
        }
    });
    return gpu::Context(ordinal);
}

bool is_usable(const gpu::Context& context) {
    try {
        context.synchronize();
        return true;
    } catch (const DeviceError&) {
        return false;
    }
}

}  // namespace

struct GpuExecutor::BenchmarkContext {
    BenchmarkContext(GpuExecutor& executor)
        : kernels(compile_kernels(executor)),
          nvml(executor.device().uuid),
          inputs(kernels, executor.problem_, executor.largest_n_, stream),
          checker(kernels, inputs, executor.problem_, stream),
          timer(kernels, inputs, executor.problem_, executor.device(), nvml, stream, &executor.account_) {}

    static timing::SupportKernels compile_kernels(GpuExecutor& executor) {
        const timing::TimeAccount::Span span(&executor.account_, timing::Activity::compile);
        return {executor.compiler_, executor.problem_, executor.device().sm_count};
    }

    gpu::Stream stream;
    timing::SupportKernels kernels;
    gpu::NvmlDevice nvml;
    timing::Inputs inputs;
    timing::Checker checker;
    timing::Timer timer;
};

struct GpuExecutor::PreparedCall {
    Call call;
    launch::LoadedKernel kernel;
    std::optional<timing::TimedGraph> graph;  ///< empty: it is captured when it is needed
};

/// The thread works from the construction to the destruction, which waits for it.
class GpuExecutor::Preparation {
  public:
    /// @param call empty: there is none
    Preparation(GpuExecutor& executor, const std::optional<Call>& call) : executor_(executor) {
        if (!call) return;
        try {
            prepared_ =
                std::async(std::launch::async, [&executor, call = *call] { return executor.prepare_ahead(call); });
        } catch (const std::system_error&) {
            return;  // no more threads may be started here: the call is prepared when it comes
        }
    }
    Preparation(const Preparation&) = delete;
    Preparation& operator=(const Preparation&) = delete;
    ~Preparation() { wait(); }

    /// Waits until the call is prepared.
    void wait() {
        const timing::TimeAccount::Span span(&executor_.account_, timing::Activity::prepare);
        if (prepared_.valid()) executor_.prepared_ = prepared_.get();
    }

  private:
    GpuExecutor& executor_;
    std::future<std::unique_ptr<PreparedCall>> prepared_;
};

GpuExecutor::GpuExecutor(const gpu::Device& device, const Problem& problem, std::uint64_t largest_n,
                         const jit::SourceSet& sources, jit::CubinCache& cache)
    : CapableExecutor(std::make_shared<GpuCapabilities>(device, problem)),
      problem_(problem),
      largest_n_(largest_n),
      compiler_(sources, cache, device.info.architecture()),
      context_(open_context(device.ordinal, compiler_, problem)),
      families_(sources.families()),
      loader_(compiler_, families_, problem) {}

GpuExecutor::~GpuExecutor() = default;

GpuExecutor::BenchmarkContext& GpuExecutor::benchmark() {
    if (benchmark_ == nullptr) {
        const timing::TimeAccount::Span span(&account_, timing::Activity::prepare);
        benchmark_ = std::make_unique<BenchmarkContext>(*this);
        benchmark_->inputs.use(data_);
    }
    return *benchmark_;
}

void GpuExecutor::use_data(const timing::Data& data) {
    data_ = data;
    prepared_.reset();
    const timing::TimeAccount::Span span(&account_, timing::Activity::prepare);
    if (benchmark_ != nullptr) benchmark_->inputs.use(data_);
}

void GpuExecutor::prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                          const std::atomic<bool>& stop) {
    std::vector<launch::KernelRequest> requests;
    for (const Trial& trial : trials) requests.emplace_back(trial.configuration, trial.rule);
    const auto report = [&](const jit::CompileCounts& counts) {
        if (counts.done != 0) account_.start();
        if (progress) progress({counts.done, counts.wanted, counts.from_cache, counts.failed});
    };
    {
        const timing::TimeAccount::Span span(&account_, timing::Activity::compile);
        loader_.prepare(requests, report, &stop);
    }
    if (stop) return;
    benchmark();
}

launch::LoadedKernel GpuExecutor::load(const Trial& trial) {
    const timing::TimeAccount::Span span(&account_, timing::Activity::prepare);
    return loader_.load(trial.configuration, trial.rule);
}

const std::optional<std::string>& GpuExecutor::hard_sizes_verdict(const Trial& trial,
                                                                  const launch::LoadedKernel& loaded_kernel) {
    const std::string configuration = to_string(trial.configuration);
    const auto known = hard_sizes_.find(configuration);
    if (known != hard_sizes_.end()) return known->second;
    return hard_sizes_.emplace(configuration, benchmark().checker.check_hard_sizes(loaded_kernel, configuration))
        .first->second;
}

void GpuExecutor::skip_hard_sizes(const Trial& trial) {
    hard_sizes_.try_emplace(to_string(trial.configuration));
}

/// Returns why the results of a trial at the hard sizes and at size n are wrong; nullopt if they are right.
std::optional<std::string> GpuExecutor::check(const Trial& trial, const launch::LoadedKernel& loaded_kernel,
                                              std::uint64_t n) {
    BenchmarkContext& context = benchmark();
    const timing::TimeAccount::Span span(&account_, timing::Activity::check);
    if (const auto& wrong = hard_sizes_verdict(trial, loaded_kernel)) return wrong;
    return context.checker.check_size(loaded_kernel, n);
}

void GpuExecutor::expect(const Trial& trial, std::uint64_t n, Regime regime, Stage stage) {
    expected_ = Call{trial, {n, regime}, stage};
}

/// Loads the kernel of a call and captures its graph, in a thread that is not that of measure().
/// @return null if the kernel would have to be compiled, or for any error, which comes again when the trial is measured
std::unique_ptr<GpuExecutor::PreparedCall> GpuExecutor::prepare_ahead(const Call& call) {
    try {
        const auto& [trial, cell, stage] = call;
        if (!loader_.is_compiled({trial.configuration, trial.rule})) return nullptr;
        context_.make_current();
        const launch::LoadedKernel kernel = loader_.load(trial.configuration, trial.rule);
        auto graph = benchmark_->timer.capture_ahead(timing::kernel_subject(kernel, problem_, cell.n), cell,
                                                     precision_of(stage, 0));
        return std::make_unique<PreparedCall>(PreparedCall{call, kernel, std::move(graph)});
    } catch (const std::exception&) {
        return nullptr;
    }
}

Measurement GpuExecutor::measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) {
    const Call call{trial, {n, regime}, stage};
    std::unique_ptr<PreparedCall> prepared = std::move(prepared_);
    const std::optional<Call> next = std::exchange(expected_, std::nullopt);
    return measure_or_failure(stage, [&] {
        if (prepared == nullptr || prepared->call != call) {
            prepared = std::make_unique<PreparedCall>(PreparedCall{call, load(trial), std::nullopt});
        }
        return measure(*prepared, next, best_us);
    });
}

/// Measures a trial. @param next the call to prepare meanwhile; empty: none
Measurement GpuExecutor::measure(PreparedCall& prepared, const std::optional<Call>& next, double best_us) {
    const Call& call = prepared.call;
    const launch::LoadedKernel& kernel = prepared.kernel;
    const timing::Subject subject = timing::kernel_subject(kernel, problem_, call.cell.n);
    const timing::Precision precision = precision_of(call.stage, best_us);
    timing::Timer& timer = benchmark().timer;
    if (!prepared.graph) timer.reserve(subject, call.cell, precision);
    Preparation preparation(*this, next);
    // Only a screening checks the results; later stages only take times.
    if (call.stage == Stage::screen) {
        std::optional<std::string> wrong;
        const auto checked_call_us = [&] {
            wrong = check(call.trial, kernel, call.cell.n);
            return wrong ? 0 : benchmark().checker.last_call_us();
        };
        const auto call_again = [&] {
            preparation.wait();  // it may have held up the launch of the first call
            return checked_call_us();
        };
        const bool is_hopeless = timing::is_hopeless_twice(checked_call_us(), best_us, call_again);
        if (wrong) return failure(Status::wrong, std::move(*wrong));
        if (is_hopeless) {
            return timer.early_stopped_measurement(kernel.resources, benchmark().checker.last_call_us());
        }
    }
    const timing::TimeAccount::Span span(&account_, timing::timing_at(call.stage));
    return timer.measure(subject, call.cell, precision, std::move(prepared.graph));
}

Measurement GpuExecutor::measure_first_launch(const Trial& trial, std::uint64_t n, Regime regime) {
    return measure_or_failure(Stage::survivor, [&] {
        return benchmark().timer.measure(timing::first_launch_subject(load(trial), problem_, n), {n, regime},
                                         precision_of(Stage::survivor, 0));
    });
}

Measurement GpuExecutor::measure_or_failure(Stage stage, const std::function<Measurement()>& measure) {
    account_.start();
    prepared_.reset();
    Measurement measurement;
    try {
        measurement = measure();
    } catch (const CompileError& error) {
        measurement = failure(Status::compile_error, error.what());
    } catch (const gpu::OutOfDeviceMemory& error) {
        if (!is_usable(context_)) throw;
        measurement = failure(Status::out_of_memory, error.what());
    } catch (const DeviceError& error) {
        // A kernel that faults destroys the CUDA context; a kernel that cannot be launched does not.
        if (!is_usable(context_)) throw;
        measurement = failure(Status::launch_error, error.what());
    }
    measurement.stage = stage;
    measurement.data = data_.name;
    return measurement;
}

std::vector<Measurement> GpuExecutor::compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                              int rounds) {
    account_.start();
    prepared_.reset();
    const timing::TimeAccount::Span span(&account_, timing::Activity::finalist);
    std::vector<timing::Subject> subjects;
    for (const Trial& trial : trials) subjects.push_back(timing::kernel_subject(load(trial), problem_, n));
    std::vector<Measurement> measurements = benchmark().timer.interleave(subjects, {n, regime}, {.count = rounds});
    for (Measurement& measurement : measurements) {
        measurement.stage = Stage::final;
        measurement.data = data_.name;
    }
    return measurements;
}

}  // namespace redtune::search
