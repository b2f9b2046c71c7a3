#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

#include "redtune/error.h"
#include "tuner/cli/architecture.h"
#include "tuner/cli/command.h"
#include "tuner/cli/devices_of_architecture.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/problem_filter.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/queried_device.h"
#include "tuner/cli/tuned_list.h"
#include "tuner/cli/warm_cache.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/device.h"
#include "tuner/runtime/reducer_kernels.h"

namespace redtune::cli {

namespace {

struct WarmOptions {
    ProblemOptions problem = unset_problem_options();
    std::vector<std::string> architectures;
    std::string sizes;
    std::vector<std::string> regimes;
    std::string device;
    bool no_device_count = false;
    std::string folder;
    std::string file;
    Format format = Format::table;
};

/// Opens the shipped data and the file of --db; without it, the user's own.
Catalog open_catalog(const WarmOptions& options) {
    if (options.file.empty()) return Catalog::open();
    if (std::filesystem::exists(options.file)) return Catalog::open({options.file, {}});
    throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", options.file));
}

int compute_capability_of(const DeviceInfo& device) {
    return device.compute_major * 10 + device.compute_minor;
}

/// Returns the device of --device; empty without it.
std::optional<DeviceInfo> parse_device(const WarmOptions& options, const Catalog& catalog) {
    if (options.device.empty()) return std::nullopt;
    return choose_queried_device(catalog, options.device).info;
}

/// Returns the compute capabilities of --arch; without it, that of --device, or else those of this machine's GPUs.
std::set<int> parse_architectures(const WarmOptions& options, const std::optional<DeviceInfo>& device) {
    std::set<int> found;
    for (const std::string& text : options.architectures) found.insert(parse_architecture(text));
    if (device) {
        const int own = compute_capability_of(*device);
        if (!found.empty() && found != std::set{own}) {
            throw InputError(fmt::format("--device {} has the architecture {}; leave out --arch, or leave out --device",
                                         device->name, device->architecture()));
        }
        return {own};
    }
    for (const gpu::Device& here : found.empty() ? gpu::list_devices() : std::vector<gpu::Device>()) {
        found.insert(compute_capability_of(here.info));
    }
    if (found.empty())
        throw InputError("there is no GPU here; give the architectures: --arch sm_90 or --arch sm_80,sm_90");
    return found;
}

/// Returns the calls that the options describe.
runtime::ExpectedCalls parse_calls(const WarmOptions& options) {
    runtime::ExpectedCalls calls;
    calls.with_device_count = !options.no_device_count;
    if (!options.regimes.empty()) calls.regimes.clear();
    for (const std::string& name : options.regimes) calls.regimes.push_back(parse_regime(name));
    if (options.sizes.empty()) return calls;
    const std::vector<std::uint64_t> sizes = parse_sizes(options.sizes);
    const auto [least, most] = std::ranges::minmax(sizes);
    calls.first = least;
    calls.last = most;
    return calls;
}

/// Returns the tuned problems that the options ask for, and the problems that the options name completely, which need
/// not be tuned.
std::vector<Problem> parse_asked_problems(const WarmOptions& options, const Catalog& catalog) {
    std::vector<Problem> problems;
    const auto add = [&](const Problem& problem) {
        if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(problem);
    };
    const std::function<bool(const Problem&)> is_asked = parse_problem_filter(options.problem);
    for (const std::string& device : catalog.devices()) {
        for (const Problem& problem : catalog.problems(device)) {
            if (is_asked(problem)) add(problem);
        }
    }
    const bool has_operator = !options.problem.op.empty() || !options.problem.op_file.empty();
    if (has_operator && !options.problem.dtypes.empty()) {
        ProblemOptions named = options.problem;
        if (named.shape.empty()) named.shape = "whole";
        for (const Problem& problem : parse_problems(named)) add(problem);
    }
    return problems;
}

/// Creates the folder of --folder. @throws Error if it cannot be used
void require_folder(const std::string& folder) {
    const std::string problem = jit::prepare_folder(folder, jit::Readers::everyone);
    if (!problem.empty()) throw Error(problem + "; give --folder a folder of your own, or one that does not exist yet");
}

/// Warms the cache of the options for all architectures, and prints a row for each.
class Warming {
  public:
    explicit Warming(const WarmOptions& options)
        : options_(options),
          catalog_(open_catalog(options)),
          device_(parse_device(options, catalog_)),
          architectures_(parse_architectures(options, device_)),
          calls_(parse_calls(options)),
          problems_(parse_asked_problems(options, catalog_)),
          sources_(load_sources(options.problem)),
          families_(sources_.families()) {}

    int run() {
        if (problems_.empty()) {
            print_miss();
            return nothing_found;
        }
        if (!options_.folder.empty()) require_folder(options_.folder);
        KernelCache cache = options_.folder.empty() ? KernelCache() : KernelCache(options_.folder);
        const std::atomic<bool>& stop = stop_on_interrupt();
        Table table(
            {{"architecture"}, {"problems"}, {"kernels"}, {"from_cache"}, {"compiled"}, {"failed"}, {"cubin_bytes"}});
        std::size_t wanted = 0;
        std::size_t failures = 0;
        std::uint64_t bytes = 0;
        for (const int compute_capability : architectures_) {
            const WarmOutcome outcome = warm(compute_capability, cache, stop);
            if (stop && outcome.counts.wanted == 0) break;
            add_row(table, compute_capability, outcome);
            wanted += outcome.counts.wanted;
            failures += outcome.counts.failed;
            bytes += outcome.cubin_bytes;
            if (stop) break;
        }
        if (wanted == 0 && !stop) {
            fmt::print(stderr,
                       "No call of these sizes has a configuration; of rows, sizes are multiples of the length.\n");
            return nothing_found;
        }
        table.print(std::cout, options_.format);
        warn_if_too_small(cache, bytes);
        return stop ? interrupted : failures != 0 ? failed_candidates : done;
    }

  private:
    WarmOutcome warm(int compute_capability, jit::CubinCache& cache, const std::atomic<bool>& stop) const {
        runtime::ReducerKernels kernels;
        const std::vector<DeviceInfo> devices =
            device_ ? std::vector{*device_} : devices_of_architecture(compute_capability, catalog_);
        for (const DeviceInfo& device : devices) {
            const Catalog catalog = open_catalog(options_);  // keeps its selectors, so one for each device
            for (const Problem& problem : problems_) {
                if (stop) return {};
                add_reducer_kernels(catalog, families_, problem, device, calls_, kernels);
            }
        }
        for (const std::string& message : kernels.unusable) fmt::print(stderr, "A winner is left out: {}\n", message);
        WarmOutcome outcome = warm_cache(kernels.names, sources_, cache, architecture_name(compute_capability), stop);
        outcome.problems = problems_.size();
        return outcome;
    }

    static void add_row(Table& table, int compute_capability, const WarmOutcome& outcome) {
        const jit::CompileCounts& counts = outcome.counts;
        const auto number = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
        table.add({architecture_name(compute_capability), number(outcome.problems), number(counts.wanted),
                   number(counts.from_cache), number(counts.done - counts.from_cache - counts.failed),
                   number(counts.failed), number(outcome.cubin_bytes)});
    }

    /// Prints on stderr that no tuned problem fits the options, and what is tuned.
    void print_miss() const {
        fmt::print(stderr,
                   "No tuned problem fits these options; name one that need not be tuned with --op and --dtype.\n");
        for (const std::string& device : catalog_.devices()) {
            fmt::print(stderr, "Tuned for \"{}\":\n", device);
            for (const std::string& line : list_tuned(catalog_, device)) fmt::print(stderr, "  {}\n", line);
        }
    }

    static void warn_if_too_small(const KernelCache& cache, std::uint64_t bytes) {
        if (bytes <= cache->cap_bytes()) return;
        fmt::print(stderr,
                   "The kernels do not fit into the cache, which keeps {} MiB: set REDTUNE_CACHE_MAX_MIB to a larger "
                   "number, or give a folder with --folder.\n",
                   cache->cap_bytes() >> 20);
    }

    const WarmOptions& options_;
    Catalog catalog_;
    std::optional<DeviceInfo> device_;
    std::set<int> architectures_;
    runtime::ExpectedCalls calls_;
    std::vector<Problem> problems_;
    jit::SourceSet sources_;
    std::vector<Family> families_;
};

}  // namespace

void add_warm_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<WarmOptions>();
    CLI::App* command = app.add_subcommand("warm",
                                           "Compile the kernels that programs load into the cache, with no GPU; "
                                           "without --op and --dtype those of all tuned "
                                           "problems");
    command
        ->add_option("--arch", options->architectures,
                     "Architectures: sm_80, sm_90 (default: those of this machine's GPUs)")
        ->delimiter(',');
    add_problem_options(*command, options->problem, {});
    command->get_option("--dtype")->default_str("");
    command->add_option("--size", options->sizes, "Sizes and ranges of the calls: 1Mi, 1Ki..1Gi (default: all sizes)");
    command
        ->add_option("--regime", options->regimes,
                     "Regimes that the programs give their reducers: cold, warm, back_to_back (default: all)")
        ->delimiter(',');
    command->add_option("--device", options->device,
                        "The device of the programs: its name or a part of it; it need not be tuned (default: all "
                        "known devices of the architectures)");
    command->add_flag("--no-device-count", options->no_device_count,
                      "Leave out the kernels for calls whose number of elements lies in device memory");
    command->add_option("--folder", options->folder,
                        "Folder to fill in place of your cache; give it to programs as REDTUNE_SYSTEM_CACHE");
    command->add_option("--db", options->file, "Database to read in place of your own, besides the shipped data");
    add_format_option(*command, options->format);
    command->callback([options, &exit_code] { exit_code = Warming(*options).run(); });
}

}  // namespace redtune::cli
