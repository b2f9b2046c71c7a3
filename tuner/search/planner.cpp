#include "tuner/search/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "db/space.h"
#include "redtune/error.h"
#include "tuner/core/size_list.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/instantiation.h"
#include "tuner/search/cells_in_flight.h"
#include "tuner/search/strategy.h"

namespace redtune::search {

std::string kernel_of(const Trial& trial, const std::vector<Family>& families) {
    const Family& family = jit::find_family(families, trial.configuration.family);
    return family.name + "<" + launch::instantiation_of(family, trial.configuration.parameters) + ">";
}

std::string kernels_of(const Trial& trial, const std::vector<Family>& families) {
    return fmt::format("{} {} {}", kernel_of(trial, families), static_cast<int>(trial.rule.continuation),
                       trial.rule.combine_block);
}

namespace {

/// Timing the survivors and finalists of a cell takes about as long as this many screenings (measured on an H100).
constexpr double later_stages = 150;

/// A search asks for about this many kernels for each screening, since neighbouring sizes and launch parameters share
/// kernels (measured on an H200: 396 kernels for 1,150 screenings of 23 sizes, 710 for 2,300).
constexpr double kernels_per_screening = 1.0 / 3;

/// A kernel that is compiled in a small batch of a search takes about this many times as long as one that is compiled
/// together with all kernels of a sweep, because a small batch does not occupy all cores (on a machine of 16 cores:
/// 75 to 85 ms, against about 15 ms).
constexpr double batch_slowdown = 6;

/// Returns the cells of a request with all candidates.
std::vector<Cell> cells_of(const SweepRequest& request, const std::vector<Family>& families, const DeviceInfo& device) {
    std::vector<Cell> cells;
    for (const Regime regime : request.regimes) {
        const std::size_t first = cells.size();
        for (const std::uint64_t n : request.sizes) {
            Cell& cell = cells.emplace_back();
            cell.n = n;
            cell.regime = regime;
        }
        for (const Family& family : families) {
            db::CandidateSpace space(family, device, request.problem, regime);
            for (std::size_t i = first; i < cells.size(); ++i) {
                std::ranges::move(space.at(cells[i].n), std::back_inserter(cells[i].trials));
            }
        }
    }
    return cells;
}

/// Returns whether a cell has no winner, so that it must be measured whatever its candidates are.
bool lacks_a_winner(const SweepRequest& request, const History& history) {
    return std::ranges::any_of(request.regimes, [&](Regime regime) {
        return std::ranges::any_of(request.sizes, [&](std::uint64_t n) { return !history.winner({n, regime}); });
    });
}

/// Removes the trials that the executor cannot measure.
void keep_offered(std::vector<Trial>& trials, const Executor& executor, std::uint64_t n, Regime regime) {
    std::erase_if(trials, [&](const Trial& trial) { return !executor.offers(trial, n, regime); });
}

/// Removes the trials of families that were not asked for, except those whose screening is in the database.
void keep_requested(Cell& cell, const std::vector<std::string>& only, const History& history) {
    if (only.empty()) return;
    const RecordedStage screened = history.recorded(cell, Stage::screen);
    std::vector<Trial> kept;
    for (std::size_t i = 0; i < cell.trials.size(); ++i) {
        const bool is_requested =
            std::find(only.begin(), only.end(), cell.trials[i].configuration.family) != only.end();
        if (is_requested || screened[i]) kept.push_back(std::move(cell.trials[i]));
    }
    cell.trials = std::move(kept);
}

/// Removes the trials that are not finalists on every other unit of the device, if there are such finalists: the others
/// cannot win on all units.
void keep_finalists_of_other_units(Cell& cell, const History& history) {
    const auto [finalists, effort] = history.finalists_of_other_units({cell.n, cell.regime});
    if (finalists.empty()) return;
    cell.effort_elsewhere = effort;
    std::erase_if(cell.trials, [&finalists = finalists](const Trial& trial) {
        return std::find(finalists.begin(), finalists.end(), trial.configuration) == finalists.end();
    });
}

/// Adds the names of the kernels of a cell's trials that are not screened yet.
void add_kernels(const Cell& cell, const RecordedStage& screened, const std::vector<Family>& families,
                 std::set<std::string>& kernels) {
    for (std::size_t i = 0; i < screened.size(); ++i) {
        if (screened[i]) continue;
        kernels.insert(kernel_of(cell.trials[i], families));
    }
}

/// Counts the trials that are stored, and estimates the time for the others.
void estimate(Cell& cell, const RecordedStage& screened, const Executor& executor, const SweepRequest& request) {
    for (const auto& entry : screened) {
        if (!entry) continue;
        ++cell.stored;
        cell.failed += entry->measurement.status != Status::ok;
    }
    if (cell.is_decided) return;
    const auto left = static_cast<double>(estimated_screenings(cell, request));
    cell.estimate_s = (left + later_stages) * executor.screening_seconds(cell.n);
}

/// Returns whether kernels are better compiled when the search asks for them: if only a part of the trials is screened,
/// most kernels are never needed. A sweep of many sizes needs most of them. With a time budget, the sweep may end
/// before all are compiled.
/// @param kernels number of kernels that are not compiled yet
bool is_faster_as_needed(const SweepRequest& request, std::size_t kernels, std::size_t screenings) {
    if (request.gpus > 1) return false;  // a compilation would disturb what other GPUs measure
    if (request.budget) return true;
    return static_cast<double>(kernels) > static_cast<double>(screenings) * kernels_per_screening * batch_slowdown;
}

std::size_t undecided_cells(const SweepPlan& plan) {
    return static_cast<std::size_t>(
        std::ranges::count_if(plan.cells, [](const Cell& cell) { return !cell.is_decided; }));
}

/// Adds the time of compiling to the estimates.
void add_compilation(SweepPlan& plan, std::size_t kernels, std::size_t screenings, const Executor& executor,
                     const SweepRequest& request, bool is_beside) {
    plan.compiles_as_needed = is_beside || is_faster_as_needed(request, kernels, screenings);
    plan.compiles_beside = is_beside;
    if (is_beside) {
        plan.cells_in_flight =
            std::clamp<std::size_t>(undecided_cells(plan), 1, most_cells_in_flight(request.effort, request.gpus));
    }
    plan.compiles = plan.compiles_as_needed ? std::min(kernels, screenings) : kernels;
    if (!plan.compiles_as_needed) plan.compile_s = static_cast<double>(kernels) * executor.compile_seconds();
    plan.estimate_s = plan.compile_s;
    for (Cell& cell : plan.cells) {
        // With several cells in flight, the GPU measures one of them while the kernels of the others are compiled.
        if (plan.compiles_as_needed && plan.cells_in_flight == 1 && !cell.is_decided) {
            cell.estimate_s += static_cast<double>(estimated_screenings(cell, request)) * kernels_per_screening *
                               batch_slowdown * executor.compile_seconds();
        }
        plan.estimate_s += cell.estimate_s;
    }
}

}  // namespace

std::set<std::string> leave_out_missing_data(const Executor& executor, SweepRequest& request) {
    std::set<std::string> names;
    std::erase_if(request.data, [&](const timing::Data& data) {
        if (executor.offers_data(data)) return false;
        names.insert(data.name);
        return true;
    });
    if (request.data.empty()) request.data = {timing::Data()};
    return names;
}

std::vector<Trial> trials_of(const Executor& executor, const std::vector<Family>& families, const Problem& problem,
                             std::uint64_t n, Regime regime) {
    std::vector<Trial> trials;
    for (const Family& family : families) {
        std::ranges::move(db::candidates(family, executor.device(), problem, n, regime), std::back_inserter(trials));
    }
    keep_offered(trials, executor, n, regime);
    return trials;
}

bool SweepPlan::is_done() const {
    return std::all_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.is_decided; });
}

void check_request(const Executor& executor, const SweepRequest& request) {
    for (const Regime regime : request.regimes) {
        for (const std::uint64_t n : request.sizes) {
            if (const auto why = executor.refuses(n, regime)) {
                throw InputError(fmt::format("n = {} cannot be measured: {}", format_size(n), *why));
            }
        }
    }
    for (const auto& names : {request.only, request.required}) {
        for (const std::string& name : names) {
            if (const auto why = executor.refuses_family(name, request.sizes, request.regimes)) {
                throw InputError(fmt::format("family {} cannot be measured: {}", name, *why));
            }
        }
    }
}

SweepPlan plan_sweep(const Executor& executor, const std::vector<Family>& families, const SweepRequest& request,
                     const History& history, bool can_compile_beside, const std::function<void()>& has_work) {
    SweepPlan plan;
    std::set<std::string> kernels;
    std::size_t screenings = 0;
    bool is_work_known = false;
    const auto say_has_work = [&] {
        if (!is_work_known && has_work) has_work();
        is_work_known = true;
    };
    if (lacks_a_winner(request, history)) say_has_work();
    plan.cells = cells_of(request, families, executor.device());
    for (Cell& cell : plan.cells) {
        keep_offered(cell.trials, executor, cell.n, cell.regime);
        keep_requested(cell, request.only, history);
        if (request.effort != Effort::exhaustive && request.resume) keep_finalists_of_other_units(cell, history);
        cell.is_known = request.effort == Effort::quick && history.knows_similar({cell.n, cell.regime});
        const RecordedStage screened = history.recorded(cell, Stage::screen);
        cell.is_decided = history.is_decided(cell, screened);
        estimate(cell, screened, executor, request);
        if (!cell.is_decided) {
            say_has_work();
            add_kernels(cell, screened, families, kernels);
            screenings += estimated_screenings(cell, request);
        }
        plan.candidates += cell.trials.size();
        plan.stored += cell.stored;
    }
    add_compilation(plan, kernels.size(), screenings, executor, request, can_compile_beside);
    return plan;
}

}  // namespace redtune::search
