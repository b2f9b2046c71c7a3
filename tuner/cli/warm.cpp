#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

#include "db/location.h"
#include "redtune/error.h"
#include "tuner/cli/architecture.h"
#include "tuner/cli/command.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/problem_filter.h"
#include "tuner/cli/problem_options.h"
#include "tuner/cli/tuned_device.h"
#include "tuner/cli/tuned_devices.h"
#include "tuner/cli/tuned_list.h"
#include "tuner/cli/warm_cache.h"
#include "tuner/cli/winner_kernels.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {

namespace {

struct WarmOptions {
    ProblemOptions problem = unset_problem_options();
    std::vector<std::string> architectures;
    std::string sizes;
    std::string device;
    std::string folder;
    std::string file;
    Format format = Format::table;
};

/// Returns the file of --db; without it, the user's own.
std::filesystem::path user_database(const WarmOptions& options) {
    if (options.file.empty()) return db::user_database_path();
    if (std::filesystem::exists(options.file)) return options.file;
    throw DatabaseError(fmt::format("no database at {}; `redtune tune` makes one", options.file));
}

/// Returns the compute capabilities of --arch; without it, those of this machine's GPUs.
std::set<int> parse_architectures(const WarmOptions& options) {
    std::set<int> found;
    for (const std::string& text : options.architectures) found.insert(parse_architecture(text));
    for (const gpu::Device& device : found.empty() ? gpu::list_devices() : std::vector<gpu::Device>()) {
        found.insert(device.info.compute_major * 10 + device.info.compute_minor);
    }
    if (found.empty())
        throw InputError("there is no GPU here; give the architectures: --arch sm_90 or --arch sm_80,sm_90");
    return found;
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
          is_asked_(parse_problem_filter(options.problem)),
          sizes_(options.sizes.empty() ? std::vector<std::uint64_t>() : parse_sizes(options.sizes)),
          architectures_(parse_architectures(options)),
          sources_(load_sources(options.problem)),
          tuned_(user_database(options)),
          families_(sources_.families()) {}

    int run() {
        std::optional<std::string> device;
        if (!options_.device.empty()) {
            device = choose_tuned_device(tuned_.catalog().devices(), options_.device);
            if (!device) return nothing_found;
        }
        if (!options_.folder.empty()) require_folder(options_.folder);
        KernelCache cache = options_.folder.empty() ? KernelCache() : KernelCache(options_.folder);
        const std::atomic<bool>& stop = stop_on_interrupt();
        Table table(
            {{"architecture"}, {"problems"}, {"kernels"}, {"from_cache"}, {"compiled"}, {"failed"}, {"cubin_bytes"}});
        std::size_t failures = 0;
        std::uint64_t bytes = 0;
        for (const int compute_capability : architectures_) {
            const auto devices = device ? std::vector{*device} : tuned_.devices_for(compute_capability);
            const WarmOutcome outcome = warm(devices, compute_capability, cache, stop);
            if (outcome.counts.wanted == 0) continue;
            add_row(table, compute_capability, outcome);
            failures += outcome.counts.failed;
            bytes += outcome.cubin_bytes;
            if (stop) break;
        }
        if (table.size() == 0) return nothing_found;
        table.print(std::cout, options_.format);
        warn_if_too_small(cache, bytes);
        return stop ? interrupted : failures != 0 ? failed_candidates : done;
    }

  private:
    WarmOutcome warm(const std::vector<std::string>& devices, int compute_capability, jit::CubinCache& cache,
                     const std::atomic<bool>& stop) const {
        WinnerKernels kernels;
        std::size_t problems = 0;
        for (const std::string& device : devices) {
            for (const Problem& problem : tuned_.catalog().problems(device)) {
                if (!is_asked_(problem)) continue;
                ++problems;
                add_winner_kernels(tuned_.catalog(), families_, problem, device, sizes_, compute_capability, kernels);
            }
        }
        for (const std::string& message : kernels.unusable) fmt::print(stderr, "A winner is left out: {}\n", message);
        if (kernels.names.empty()) {
            print_miss(devices, compute_capability);
            return {};
        }
        WarmOutcome outcome = warm_cache(kernels.names, sources_, cache, architecture_name(compute_capability), stop);
        outcome.problems = problems;
        return outcome;
    }

    static void add_row(Table& table, int compute_capability, const WarmOutcome& outcome) {
        const jit::CompileCounts& counts = outcome.counts;
        const auto number = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
        table.add({architecture_name(compute_capability), number(outcome.problems), number(counts.wanted),
                   number(counts.from_cache), number(counts.done - counts.from_cache - counts.failed),
                   number(counts.failed), number(outcome.cubin_bytes)});
    }

    /// Prints on stderr that no winner fits the options, and what is tuned.
    void print_miss(const std::vector<std::string>& devices, int compute_capability) const {
        fmt::print(stderr, "No winner is known for these options that runs on {}.",
                   architecture_name(compute_capability));
        if (devices.empty()) fmt::print(stderr, " No device has been tuned.");
        fmt::print(stderr, "\n");
        for (const std::string& device : devices) {
            fmt::print(stderr, "Tuned for \"{}\":\n", device);
            for (const std::string& line : list_tuned(tuned_.catalog(), device)) fmt::print(stderr, "  {}\n", line);
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
    std::function<bool(const Problem&)> is_asked_;
    std::vector<std::uint64_t> sizes_;
    std::set<int> architectures_;
    jit::SourceSet sources_;
    TunedDevices tuned_;
    std::vector<Family> families_;
};

}  // namespace

void add_warm_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<WarmOptions>();
    CLI::App* command = app.add_subcommand(
        "warm", "Compile the kernels of the winners into the cache, with no GPU; without --op and --dtype all of them");
    command
        ->add_option("--arch", options->architectures,
                     "Architectures: sm_80, sm_90 (default: those of this machine's GPUs)")
        ->delimiter(',');
    add_problem_options(*command, options->problem, {});
    command->get_option("--dtype")->default_str("");
    command->add_option("--size", options->sizes,
                        "Sizes and ranges that will be looked up: 1Mi, 1Ki..1Gi (default: all sizes)");
    command->add_option("--device", options->device,
                        "The tuned device whose winners to compile: its name or a part of it (default: the tuned "
                        "devices of the architecture, else all)");
    command->add_option("--folder", options->folder,
                        "Folder to fill in place of your cache; give it to programs as REDTUNE_SYSTEM_CACHE");
    command->add_option("--db", options->file, "Database to read in place of your own, besides the shipped data");
    add_format_option(*command, options->format);
    command->callback([options, &exit_code] { exit_code = Warming(*options).run(); });
}

}  // namespace redtune::cli
