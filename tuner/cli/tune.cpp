#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>

#include "db/location.h"
#include "db/store.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_list.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/job_sweeps.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/messages.h"
#include "tuner/cli/progress_line.h"
#include "tuner/cli/rank_units.h"
#include "tuner/cli/self_test.h"
#include "tuner/cli/self_test_output.h"
#include "tuner/cli/summary.h"
#include "tuner/cli/terminal.h"
#include "tuner/cli/timing_table.h"
#include "tuner/cli/tune_conclusion.h"
#include "tuner/cli/tune_options.h"
#include "tuner/core/size_list.h"
#include "tuner/report/problem_as_options.h"
#include "tuner/search/planner.h"
#include "tuner/search/strategy_kind.h"
#include "tuner/search/suggestions.h"
#include "tuner/timing/data.h"

namespace redtune::cli {

namespace {

void print_plan(std::FILE* to, const JobSweeps::Model& model, const search::SweepRequest& request,
                const std::filesystem::path& database) {
    const search::SweepPlan& plan = model.sweep->plan();
    const search::Executor& executor = *model.executor;
    const DeviceInfo& device = executor.device();
    fmt::print(to, "{} on {}, {}\n", describe(request.problem), device.name, executor.source());
    fmt::print(to, "  device      compute capability {}, {} SMs, {} MiB L2, {:.0f} GB/s peak\n",
               device.compute_capability(), device.sm_count, device.l2_bytes >> 20, device.peak_gb_per_s);
    if (model.labels.size() > 1) fmt::print(to, "  units       {}\n", fmt::join(model.labels, ", "));
    std::vector<std::string_view> regimes;
    for (const Regime regime : request.regimes) regimes.push_back(to_string(regime));
    fmt::print(to, "  regimes     {}\n", fmt::join(regimes, ", "));
    std::vector<std::string> data;
    for (const timing::Data& each : request.data) data.push_back(each.name);
    fmt::print(to, "  data        {}\n", fmt::join(data, ", "));
    const auto decided =
        std::count_if(plan.cells.begin(), plan.cells.end(), [](const auto& cell) { return cell.is_decided; });
    fmt::print(to, "  cells       {} (sizes x regimes), {} done already\n", plan.cells.size(), decided);
    fmt::print(to, "  candidates  {}, {} measured already\n", plan.candidates, plan.stored);
    if (!db::is_replay(executor.source())) fmt::print(to, "  compiles    {} kernels at most\n", plan.compiles);
    fmt::print(to, "  estimate    {}\n", plan.is_done() ? "nothing to do" : format_duration(plan.estimate_s));
    fmt::print(to, "  database    {}\n", database.string());
}

std::vector<Regime> parse_regimes(const std::vector<std::string>& names) {
    std::vector<Regime> regimes;
    for (const std::string& name : names) {
        const Regime regime = parse_regime(name);
        if (std::find(regimes.begin(), regimes.end(), regime) == regimes.end()) regimes.push_back(regime);
    }
    return regimes;
}

/// One problem to tune, with an executor for each device that measures it.
struct Job {
    search::SweepRequest request;
    std::vector<std::unique_ptr<search::Executor>> executors;
};

/// Returns the names of the families that must be measurable: the families of --template, or none if --family is given.
std::vector<std::string> required_families(const TuneOptions& options, const std::vector<Family>& families) {
    std::vector<std::string> names;
    if (!options.families.empty()) return names;
    const std::vector<std::string>& files = options.problem.templates;
    for (const Family& family : families) {
        if (std::find(files.begin(), files.end(), family.path) != files.end()) names.push_back(family.name);
    }
    return names;
}

/// Returns one job for each problem.
/// @param other_ranks the devices of other ranks; null: none
/// @throws InputError for a job that cannot be measured.
std::vector<Job> make_jobs(const TuneOptions& options, const std::vector<Family>& families, const DeviceList& list,
                           RankUnits* other_ranks, const jit::SourceSet& sources, jit::CubinCache& cache) {
    std::vector<Job> jobs;
    std::set<std::string> left_out;
    for (const Problem& problem : parse_problems(options.problem)) {
        Job& job = jobs.emplace_back();
        job.request = {problem,
                       parse_sizes(options.sizes),
                       parse_regimes(options.regimes),
                       options.resume,
                       options.command_line,
                       options.families,
                       search::parse_effort(options.effort),
                       required_families(options, families),
                       options.between,
                       options.checks,
                       timing::parse_data_list(options.data, problem)};
        job.request.runs_at_once = !options.plan_only;
        if (!options.strategy.empty()) job.request.strategy = search::parse_strategy(options.strategy);
        if (options.budget_s != 0) job.request.budget = std::chrono::duration<double>(options.budget_s);
        const std::uint64_t largest_n = job.request.sizes.back();
        for (const DeviceChoice& device : list.devices) {
            const bool by_worker = list.is_list || options.by_worker.value_or(device.ordinal >= 0);
            job.executors.push_back(make_executor(device, problem, largest_n, options.problem, sources, cache,
                                                  by_worker ? MeasuredBy::worker_process : MeasuredBy::this_process));
        }
        if (other_ranks != nullptr) {
            std::ranges::move(other_ranks->make_executors(problem, largest_n, options.problem, sources),
                              std::back_inserter(job.executors));
        }
        for (const auto& executor : job.executors) {
            search::check_request(*executor, job.request);
            left_out.merge(search::leave_out_missing_data(*executor, job.request));
        }
    }
    if (!left_out.empty()) {
        note(
            "{} has times on uniform data only;\na GPU would compare the best configurations on other data too ({}).\n",
            jobs.front().executors.front()->source(), fmt::join(left_out, ", "));
    }
    return jobs;
}

/// Prints for each regime the regret of look-ups between the tuned sizes: how much slower their picks are than the best
/// configuration found there.
void print_regret(const db::Store& store, const search::Executor& executor, const search::SweepRequest& request) {
    for (const Regime regime : request.regimes) {
        const auto regret = store.regret(executor.device().name, request.problem, regime);
        if (!regret) continue;
        note(
            "Look-ups between the tuned sizes, {}: {:.1f} % slower than the best found (median of {} sizes that "
            "were not tuned), {:.1f} % at most.\n",
            to_string(regime), 100 * regret->median, regret->sizes, 100 * regret->largest);
    }
}

/// Prints how many candidates were screened, if any were.
void print_screened(const JobSweeps& sweeps, const search::SweepResult& result) {
    if (result.screened == 0) return;
    std::size_t screened = result.screened;
    std::size_t candidates = 0;
    for (const JobSweeps::Model& model : sweeps.models()) {
        screened += model.sweep->plan().stored;
        candidates += model.sweep->plan().candidates;
    }
    note("{} of {} candidates screened: {} stopped early, {} pruned unmeasured.\n", screened,
         std::max(screened, candidates), result.stopped_early, result.pruned);
}

/// The tables and the closing lines that `redtune tune` prints after all problems are tuned.
struct Output {
    Table summary = make_summary();
    std::string conclusion;
    Table timing = make_timing_table();
};

/// Tunes one problem and adds its winners and its timing to `output`.
/// @return the exit code
int tune(const TuneOptions& options, const Job& job, const std::vector<std::string>& labels,
         const std::vector<Family>& families, db::Store& store, Output& output) {
    const Problem& problem = job.request.problem;
    JobSweeps sweeps(job.executors, labels, store, families, job.request);
    for (const JobSweeps::Model& model : sweeps.models()) {
        if (!options.plan_only && verbosity() == Verbosity::quiet) break;
        print_plan(options.plan_only ? stdout : stderr, model, job.request, store.file());
    }
    if (options.plan_only) return done;
    if (sweeps.is_done()) note("Everything is measured already: nothing to do.\n");

    const search::SweepResult result = sweeps.run(stop_on_interrupt());
    print_screened(sweeps, result);
    add_timing(output.timing, problem, result.timing);
    for (const JobSweeps::Model& model : sweeps.models()) {
        print_regret(store, *model.executor, job.request);
        const DeviceInfo& device = model.executor->device();
        const std::vector<TunedCell> cells =
            add_summary(output.summary, store, families, device, problem, job.request.sizes, job.request.regimes);
        output.conclusion += conclude(problem, device, cells);
    }
    if (result.interrupted) {
        fmt::print(stderr, "Interrupted. {} measurements are kept; the same command continues from here.\n",
                   result.measured);
        return interrupted;
    }
    if (result.out_of_time) {
        fmt::print(stderr, "The time of --budget is over; the same command continues from here.\n");
    }
    if (result.lost_units != 0) {
        fmt::print(stderr,
                   "{} of {} devices were lost; the others have measured everything. The same command measures the "
                   "winners on all of them.\n",
                   result.lost_units, labels.size());
    }
    if (result.failed != 0) {
        fmt::print(stderr, "{} candidates failed: `redtune db show --failures --db {}` lists the reasons.\n",
                   result.failed, store.file().string());
        return failed_candidates;
    }
    return result.lost_units != 0 ? failed_candidates : done;
}

/// Prints the table of --timing: behind the winners, or on stderr in formats in which stdout holds one table.
void print_timing(const Table& timing, Format format) {
    if (format == Format::csv || format == Format::json) return timing.print(std::cerr, format);
    std::cout << "\n";
    timing.print(std::cout, format);
}

/// Returns the commands that use what a job tunes.
std::string commands_after(const Job& job, const TuneOptions& options) {
    return next_commands(job.request.problem, job.executors.front()->device().name, job.request.sizes.back(),
                         job.request.regimes.front(), options.database, table_columns(STDERR_FILENO));
}

/// Returns the catalog with which searches begin; nullopt if the user wants none, or if a file cannot be read, which is
/// said.
std::optional<Catalog> open_catalog(const TuneOptions& options, const std::filesystem::path& database) {
    if (!options.look_ups) return std::nullopt;
    return search::open_catalog(database, [](const DatabaseError& error) {
        note("{}\nSo searches begin without what look-ups know.\n", error.what());
    });
}

/// Tests whether the times of the devices can be trusted, for each problem. Stores nothing.
int run_self_test(const TuneOptions& options, const std::vector<Family>& families, const DeviceList& devices,
                  const jit::SourceSet& sources, jit::CubinCache& cache) {
    Table table = make_self_test_table();
    int exit_code = done;
    for (Job& job : make_jobs(options, families, devices, nullptr, sources, cache)) {
        std::vector<SelfTestedDevice> tested;
        for (std::size_t i = 0; i < job.executors.size(); ++i) {
            tested.push_back({*job.executors[i], devices.labels[i],
                              make_task(devices.devices[i], job.request.problem, job.request.sizes.back(),
                                        options.problem, sources)});
        }
        const int code = self_test(job.request, tested, families, options.self_test_races, table, stop_on_interrupt());
        job.executors.clear();  // frees the device's memory for the next job
        exit_code = std::max(exit_code, code);
        if (code == interrupted) break;
    }
    if (table.size() != 0) table.print(std::cout, options.format);
    return exit_code;
}

int run(const TuneOptions& options) {
    parse_problems(options.problem);
    const jit::SourceSet sources = load_sources(options.problem);
    const std::vector<Family> families = sources.families();
    for (const std::string& name : options.families) jit::find_family(families, name);
    parse_sizes(options.sizes);
    search::parse_effort(options.effort);
    if (!options.strategy.empty()) search::parse_strategy(options.strategy);
    parse_regimes(options.regimes);
    const std::filesystem::path path =
        options.database.empty() ? db::user_database_path() : std::filesystem::path(options.database);
    const std::optional<search::Ranks> ranks = search::ranks_of_environment();
    if (ranks && options.self_test_races != 0) {
        throw InputError("--self-test measures on one machine; run it without mpirun or srun, once on each machine");
    }
    if (ranks && ranks->rank != 0) {
        if (!options.plan_only) serve_as_rank(*ranks, options.device, options.problem, sources, path);
        return done;
    }
    DeviceList devices = ranks ? choose_devices_of_rank(options.device, *ranks) : choose_devices(options.device);
    KernelCache cache;
    std::optional<RankUnits> other_ranks;
    if (ranks && !options.plan_only) {
        other_ranks.emplace(*ranks, path, devices, stop_on_interrupt());
        devices.is_list = true;
        for (std::string& label : devices.labels) label.insert(0, "rank 0: ");
    }
    if (options.self_test_races != 0) return run_self_test(options, families, devices, sources, cache);
    // All jobs are checked here, before the first of them stores anything.
    std::vector<Job> jobs =
        make_jobs(options, families, devices, other_ranks ? &*other_ranks : nullptr, sources, cache);
    std::vector<std::string> labels = devices.labels;
    if (other_ranks) std::ranges::move(other_ranks->labels(), std::back_inserter(labels));
    db::Store store = db::Store::open(path, db::Access::read_write);
    store.complete_configurations(families);
    detail("writing {}, with kernels from {}\n", path.string(), cache->folder().string());
    if (store.journal_mode() != "wal") {
        fmt::print(stderr, "{} is not on a local file system: journal mode {} instead of wal.\n", path.string(),
                   store.journal_mode());
    }

    const std::optional<Catalog> catalog = open_catalog(options, path);
    Output output;
    int exit_code = done;
    const std::string next_steps = commands_after(jobs.front(), options);
    for (Job& job : jobs) {
        job.request.catalog = catalog ? &*catalog : nullptr;
        const int code = tune(options, job, labels, families, store, output);
        job.executors.clear();  // frees the device's memory for the next job
        exit_code = std::max(exit_code, code);
        if (code == interrupted) break;
    }
    if (!options.plan_only && output.summary.size() != 0) {
        output.summary.print(std::cout, options.format);
        std::cout.flush();
        note("{}{}", output.conclusion, next_steps);
    }
    if (options.timing && !options.plan_only) print_timing(output.timing, options.format);
    return exit_code;
}

}  // namespace

void add_tune_command(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<TuneOptions>();
    CLI::App* command =
        app.add_subcommand("tune", "Measures what is missing and keeps the best configuration for each size");
    add_tune_options(*command, *options);
    command->callback([options, &app, command, &exit_code] {
        finish_tune_options(*options, *command, app.get_name());
        exit_code = run(*options);
    });
}

}  // namespace redtune::cli
