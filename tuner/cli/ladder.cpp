#include "tuner/report/ladder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <optional>

#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_name.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/ladder_output.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/ncu.h"
#include "tuner/cli/problem_options.h"
#include "tuner/core/named.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/device.h"
#include "tuner/report/ladder_bench.h"
#include "tuner/report/measure_ladder.h"
#include "tuner/search/gpu_executor.h"

namespace redtune::cli {

namespace {

constexpr const char* custom = "custom";
constexpr std::int64_t most_threads = 1024;

struct LadderOptions {
    std::vector<std::string> setups;
    ProblemOptions problem;
    std::string size = "32Mi";
    std::int64_t block = 256;
    std::vector<std::string> steps;
    std::string regime = "cold";
    std::string device;
    bool counters = false;
    Format format = Format::table;
    std::vector<std::string> custom_only;  ///< options on the command line that only the set-up `custom` takes
};

/// Measures the times of a ladder on a GPU of this machine.
class GpuBench final : public report::LadderBench {
  public:
    GpuBench(gpu::Device device, const jit::SourceSet& sources, const std::atomic<bool>& stop)
        : gpu_(std::move(device)), sources_(sources), stop_(stop) {}

    const DeviceInfo& device() const override { return gpu_.info; }

    void begin(const Problem& problem, std::uint64_t n) override {
        executor_.reset();  // frees its device memory before the next executor allocates
        executor_.emplace(gpu_, problem, n, sources_, cache_);
        n_ = n;
        if (const auto why = executor_->refuses(n, Regime::cold)) {
            throw InputError(fmt::format("n = {} cannot be measured: {}", format_size(n), *why));
        }
    }

    void prepare(std::span<const Trial> trials) override { executor_->prepare(trials, {}, stop_); }

    Measurement measure_call(const Trial& trial, Stage stage) override {
        return executor_->measure(trial, n_, Regime::cold, stage, 0);
    }

    Measurement measure_first_kernel(const Trial& trial) override {
        return executor_->measure_first_launch(trial, n_, Regime::cold);
    }

  private:
    gpu::Device gpu_;
    const jit::SourceSet& sources_;
    KernelCache cache_;
    const std::atomic<bool>& stop_;
    std::optional<search::GpuExecutor> executor_;
    std::uint64_t n_ = 0;
};

/// Returns the ordinal of the GPU that a --device argument names. A number is returned unchecked: find_gpu() reports a
/// GPU that does not exist.
/// @throws InputError for a recorded device, and for a text that names no device
int parse_device(const std::string& text) {
    if (text.empty()) return 0;
    int ordinal = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ordinal);
    if (error == std::errc{} && end == text.data() + text.size() && ordinal >= 0) return ordinal;
    const std::vector<KnownDevice> known = known_devices();
    const std::optional<KnownDevice> device = find_device(text, known);
    if (device && device->ordinal >= 0) return device->ordinal;
    if (device || text.starts_with("replay:")) {
        throw InputError(
            fmt::format("--device {}: a recording has no times of a kernel alone, which a ladder shows; give a GPU of "
                        "this machine (see `redtune devices`)",
                        text));
    }
    throw InputError(fmt::format("--device '{}' is no GPU of this machine; see `redtune devices`{}", text,
                                 suggest_device(text, known)));
}

gpu::Device find_gpu(int ordinal) {
    if (const std::string why = gpu::why_no_device(); !why.empty()) {
        throw DeviceError(fmt::format(
            "a ladder times kernels, so it needs a GPU, and there is none: {}. `redtune doctor` says what to do", why));
    }
    return gpu::device_at(ordinal);
}

void require_cold_regime(const std::string& name) {
    if (parse_regime(name) == Regime::cold) return;
    throw InputError(fmt::format(
        "--regime {}: a ladder is only timed cold, because some kernels overwrite their input, which is then restored "
        "before each call; allowed is cold",
        name));
}

report::LadderSetup custom_setup(const LadderOptions& options, const std::vector<Family>& families) {
    const std::vector<Problem> problems = parse_problems(options.problem);
    if (problems.size() != 1) throw InputError("--dtype: a ladder has one input type; give one");
    const Problem& problem = problems.front();
    const std::uint64_t n = parse_size(options.size);
    if (n == 0) throw InputError("--size 0: there is nothing to time; give 1 element or more");
    const std::uint64_t unit = shape_of(problem).unit();
    if (n % unit != 0) {
        throw InputError(fmt::format("--size {} is not a whole number of rows of {}", options.size, unit));
    }
    if (options.block < 1 || options.block > most_threads) {
        throw InputError(fmt::format("--block {}: allowed are 1 to {} threads", options.block, most_threads));
    }
    const std::string_view shape = to_string(shape_of(problem).kind());
    const auto fits = [&](const Family& family) {
        return std::find(family.shapes.begin(), family.shapes.end(), shape) != family.shapes.end();
    };
    std::vector<Family> steps;
    for (const std::string& name : options.steps.empty() ? report::default_steps(problem, families) : options.steps) {
        const Family& family = steps.emplace_back(jit::find_family(families, name));
        if (fits(family)) continue;
        std::vector<std::string> allowed;
        for (const Family& other : families) {
            if (fits(other)) allowed.push_back(other.name);
        }
        throw InputError(fmt::format("--steps {} is not for shape {}; families that are: {}", name, shape_name(problem),
                                     fmt::join(allowed, ", ")));
    }
    return report::custom_ladder(problem, n, options.block, steps);
}

std::vector<std::string> setup_names() {
    std::vector<std::string> names = report::ladder_names();
    names.emplace_back(custom);
    return names;
}

/// Returns the names of the set-ups to run, without repeats.
/// @throws InputError for an unknown set-up, or for options that a published set-up does not take
std::vector<std::string> asked_setups(const LadderOptions& options) {
    std::vector<std::string> known = setup_names();
    if (options.setups.empty()) {
        if (!options.custom_only.empty()) return {custom};
        known.pop_back();
        return known;
    }
    std::vector<std::string> names;
    for (const std::string& name : options.setups) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw InputError(unknown_name("set-up", name, known));
        }
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (!options.custom_only.empty() && std::find(names.begin(), names.end(), custom) == names.end()) {
        throw InputError(
            fmt::format("{} is not for a published set-up, which is fixed: leave --setup out, or give "
                        "--setup {}",
                        options.custom_only.front(), custom));
    }
    return names;
}

std::vector<report::LadderSetup> choose_setups(const LadderOptions& options, const std::vector<Family>& families) {
    std::vector<report::LadderSetup> setups;
    for (const std::string& name : asked_setups(options)) {
        if (name == custom) {
            setups.push_back(custom_setup(options, families));
            continue;
        }
        for (const report::LadderSetup& setup : report::published_ladders(families)) {
            if (setup.name == name) setups.push_back(setup);
        }
    }
    return setups;
}

void print_heading(const report::LadderSetup& setup, const DeviceInfo& device) {
    note("{}: {}, n = {}, cold, on {} ({:.0f} GB/s peak)\n", setup.name, describe(setup.problem), format_size(setup.n),
         device.name, device.peak_gb_per_s);
    if (setup.published_on.empty()) return;
    note("  published times are of the kernel alone, on {}: {}\n", setup.published_on, setup.source);
}

/// Reads the counters of the kernels of ladders. Once that fails, reads no more.
class LadderCounters {
  public:
    /// @throws DeviceError if there is no ncu
    LadderCounters(const LadderOptions& options, const jit::SourceSet& sources, int ordinal) : ncu_(find_ncu()) {
        task_.ordinal = ordinal;
        task_.templates = options.problem.templates;
        task_.operator_file = options.problem.op_file;
        task_.code = search::code_of(sources.families());
    }

    void read(const report::LadderSetup& setup, report::LadderResult& result, const std::atomic<bool>& stop) {
        task_.problem = setup.problem;
        task_.largest_n = setup.n;
        for (report::LadderTimes& times : result.steps) read(setup.n, times, stop);
        if (result.redtune) read(setup.n, *result.redtune, stop);
    }

    /// Returns why no more counters are read; empty if nothing failed.
    const std::string& error() const { return error_; }

  private:
    void read(std::uint64_t n, report::LadderTimes& times, const std::atomic<bool>& stop) {
        if (!times.trial || !error_.empty() || stop) return;
        try {
            times.counters = read_counters(ncu_, task_, *times.trial, n).front();
        } catch (const DeviceError& error) {
            error_ = error.what();
        }
    }

    std::filesystem::path ncu_;
    search::WorkerTask task_;
    std::string error_;
};

/// Runs `redtune ladder`.
/// @param test_bench replaces the measurements by those of a test; null: the times are measured on a GPU of this
/// machine
/// @return the exit code
int run(const LadderOptions& options, report::LadderBench* test_bench) {
    require_cold_regime(options.regime);
    const int ordinal = parse_device(options.device);
    const jit::SourceSet sources = load_sources(options.problem);
    const std::vector<Family> families = sources.families();
    const std::vector<report::LadderSetup> setups = choose_setups(options, families);
    const std::atomic<bool>& stop = stop_on_interrupt();
    std::optional<LadderCounters> counters;
    if (options.counters) counters.emplace(options, sources, ordinal);
    std::unique_ptr<GpuBench> gpu_bench;
    if (test_bench == nullptr) gpu_bench = std::make_unique<GpuBench>(find_gpu(ordinal), sources, stop);
    report::LadderBench& bench = test_bench == nullptr ? *gpu_bench : *test_bench;

    std::vector<report::LadderRow> rows;
    std::size_t failures = 0;
    for (const report::LadderSetup& setup : setups) {
        if (stop) break;
        print_heading(setup, bench.device());
        report::LadderResult result = report::measure_ladder(
            setup, families, bench, [](const std::string& line) { note("  {}\n", line); }, stop);
        failures += result.failed;
        if (counters) counters->read(setup, result, stop);
        std::ranges::move(report::ladder_rows(setup, result, bench.device().peak_gb_per_s), std::back_inserter(rows));
    }
    if (!rows.empty()) print_ladders(rows, options.counters, options.format);
    if (stop) {
        fmt::print(stderr, "Interrupted: the table has only what was measured.\n");
        return interrupted;
    }
    if (counters && !counters->error().empty()) {
        fmt::print(stderr, "redtune: {}\n", counters->error());
        return no_device;
    }
    return failures == 0 ? done : failed_candidates;
}

}  // namespace

void add_ladder_command(CLI::App& app, int& exit_code, report::LadderBench* bench) {
    auto options = std::make_shared<LadderOptions>();
    CLI::App* command = app.add_subcommand(
        "ladder", "The classic optimisation steps of reductions, timed side by side, beside their published times");
    command
        ->add_option("--setup", options->setups,
                     fmt::format("Set-ups: {} (default: all published ones; {}: the options below)",
                                 fmt::join(setup_names(), ", "), custom))
        ->delimiter(',');
    add_problem_options(*command, options->problem, {.determinism = false, .templates = true});
    command->add_option("--size", options->size, "Elements: 4096, 16Mi")->capture_default_str();
    command->add_option("--block", options->block, "Threads per block; a family without this size takes its nearest")
        ->capture_default_str();
    command->add_option("--steps", options->steps, "Families in order (default: those published for the shape)")
        ->delimiter(',');
    command->add_option("--regime", options->regime, "cold: the input is in device memory")->capture_default_str();
    command->add_option("--device", options->device, "GPU by number, or by a part of its name (default: the first)");
    command->add_flag("--counters", options->counters,
                      "Also read hardware counters of each kernel with Nsight Compute (ncu)");
    add_format_option(*command, options->format);
    command->callback([options, command, bench, &exit_code] {
        for (const char* name : {"--op", "--dtype", "--accumulator", "--output", "--shape", "--op-file", "--template",
                                 "--size", "--block", "--steps"}) {
            if (command->count(name) != 0) options->custom_only.emplace_back(name);
        }
        exit_code = run(*options, bench);
    });
}

}  // namespace redtune::cli
