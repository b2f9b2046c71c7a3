#include "compare/kernel_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "compare/benchmark_context.h"
#include "compare/pairing_failure.h"
#include "compare/winner.h"
#include "redtune/error.h"
#include "tuner/core/size_list.h"
#include "tuner/core/statistics.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::compare {

namespace {

/// Returns the name of a cell for messages: "sum f32 1MiB cold aligned".
std::string name_of(const Problem& problem, const timing::Cell& cell) {
    return fmt::format("{} {} {}B {} {}", problem.op, to_string(problem.input),
                       format_size(cell.n * size_of(problem.input)), to_string(cell.regime),
                       report::alignment_name(cell.offset));
}

void insert_names(std::set<jit::KernelName>& names, const std::vector<Family>& families, const Problem& problem,
                  const Trial& trial) {
    const Family& family = jit::find_family(families, trial.configuration.family);
    for (const KernelRole role : roles_of(trial.rule)) {
        names.insert(launch::kernel_name(family, problem, {trial.configuration, trial.rule}, role));
    }
}

/// Returns the subject of a trial. @throws CompileError
timing::Subject subject_of(launch::KernelLoader& loader, const Trial& trial, const Problem& problem, std::uint64_t n) {
    return timing::kernel_subject(loader.load(trial.configuration, trial.rule), problem, n);
}

report::KernelComparisonRow row_of(const Problem& problem, const KernelCell& cell, const Measurement& new_times,
                                   const Measurement& old_times, const std::string& data) {
    report::KernelComparisonRow row;
    row.op = problem.op;
    row.dtype = to_string(problem.input);
    row.n = cell.cell.n;
    row.bytes = row.n * size_of(problem.input);
    row.regime = cell.cell.regime;
    row.offset = cell.cell.offset;
    row.data = data;
    row.configuration = to_string(cell.new_trial.configuration);
    row.new_us = new_times.median_us;
    row.old_us = old_times.median_us;
    const Interval interval = paired_ratio_interval(new_times.samples_us, old_times.samples_us);
    row.ratio_low = interval.low;
    row.ratio_high = interval.high;
    return row;
}

/// Returns why two measurements cannot be compared; empty if they can.
std::string failure_of(const Measurement& new_times, const Measurement& old_times, std::size_t rounds) {
    for (const auto& [version, times] : {std::pair("new", &new_times), std::pair("old", &old_times)}) {
        const std::string failure = pairing_failure(*times, rounds);
        if (!failure.empty()) return fmt::format("{}: {}", version, failure);
    }
    return {};
}

}  // namespace

std::vector<KernelCells> find_cells(const CellRequest& request, const Catalog& catalog, const DeviceInfo& device,
                                    const std::vector<Family>& new_families, const std::vector<Family>& old_families,
                                    std::vector<std::string>& failures) {
    std::vector<KernelCells> found;
    for (const auto& [problem, data] : request.problems) {
        KernelCells cells{problem, data, {}};
        for (const Regime regime : request.regimes) {
            for (const std::uint64_t bytes : request.bytes) {
                if (regime == Regime::warm && bytes > device.l2_bytes / 2) continue;
                const std::uint64_t n = bytes / size_of(problem.input);
                const auto match = catalog.find(problem, n, device.name, regime);
                if (!match) continue;
                const auto new_trial = trial_of(*match, new_families, device, problem, regime);
                const auto old_trial = trial_of(*match, old_families, device, problem, regime);
                for (const std::uint64_t offset : request.offsets) {
                    const timing::Cell cell{n, regime, offset};
                    if (new_trial && old_trial) {
                        cells.cells.push_back({cell, *new_trial, *old_trial});
                        continue;
                    }
                    failures.push_back(fmt::format("{}: the {} sources have no such configuration of {}",
                                                   name_of(problem, cell), new_trial ? "old" : "new", match->family));
                }
            }
        }
        if (!cells.cells.empty()) found.push_back(std::move(cells));
    }
    return found;
}

void compile_cells(const std::vector<KernelCells>& problems, KernelVersion& new_version, KernelVersion& old_version) {
    std::set<jit::KernelName> new_names;
    std::set<jit::KernelName> old_names;
    for (const KernelCells& cells : problems) {
        for (jit::KernelName& name : timing::support_kernel_names(cells.problem)) new_names.insert(std::move(name));
        for (const KernelCell& cell : cells.cells) {
            insert_names(new_names, new_version.families, cells.problem, cell.new_trial);
            insert_names(old_names, old_version.families, cells.problem, cell.old_trial);
        }
    }
    new_version.compiler.compile({new_names.begin(), new_names.end()});
    old_version.compiler.compile({old_names.begin(), old_names.end()});
}

KernelOutcome compare_kernels(const KernelCells& cells, KernelVersion& new_version, KernelVersion& old_version,
                              Session& session, const timing::Rounds& rounds, const std::atomic<bool>& stop) {
    const Problem& problem = cells.problem;
    std::uint64_t largest_n = 0;
    for (const KernelCell& cell : cells.cells) largest_n = std::max(largest_n, cell.cell.n + cell.cell.offset);
    BenchmarkContext context(new_version.compiler, problem, largest_n, session);
    launch::KernelLoader new_loader(new_version.compiler, new_version.families, problem);
    launch::KernelLoader old_loader(old_version.compiler, old_version.families, problem);
    KernelOutcome outcome;
    for (const timing::Data& data : cells.data) {
        context.inputs.use(data);
        const auto add_failure = [&](const KernelCell& cell, const std::string& failure) {
            outcome.failures.push_back(fmt::format("{}, {} data: {}", name_of(problem, cell.cell), data.name, failure));
        };
        for (const KernelCell& cell : cells.cells) {
            if (stop) return outcome;
            try {
                const std::array subjects = {subject_of(new_loader, cell.new_trial, problem, cell.cell.n),
                                             subject_of(old_loader, cell.old_trial, problem, cell.cell.n)};
                const std::vector<Measurement> times = context.timer.interleave(subjects, cell.cell, rounds);
                const std::string failure = failure_of(times[0], times[1], static_cast<std::size_t>(rounds.count));
                if (failure.empty()) {
                    outcome.rows.push_back(row_of(problem, cell, times[0], times[1], data.name));
                } else {
                    add_failure(cell, failure);
                }
            } catch (const CompileError& error) {
                add_failure(cell, error.what());
            }
        }
    }
    return outcome;
}

}  // namespace redtune::compare
