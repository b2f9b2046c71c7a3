#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/history.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// Checks that the executor can measure a request. It is called before anything is stored.
/// @throws InputError for a size, a regime or a family, with the reason that the executor gives.
void check_request(const Executor& executor, const SweepRequest& request);

/// Removes from the request the kinds of data that the executor does not offer, and returns their names. If none is
/// left, the request is measured on uniform data.
std::set<std::string> leave_out_missing_data(const Executor& executor, SweepRequest& request);

/// Returns every trial of these families, at one size and regime, that the executor can measure.
std::vector<Trial> trials_of(const Executor& executor, const std::vector<Family>& families, const Problem& problem,
                             std::uint64_t n, Regime regime);

/// Returns the name of the kernel that reduces the elements of a trial: the family and its template arguments.
std::string kernel_of(const Trial& trial, const std::vector<Family>& families);

/// Returns a name for all kernels that a trial needs.
std::string kernels_of(const Trial& trial, const std::vector<Family>& families);

/// Returns the cells of a request with their trials, and an estimate of the remaining time.
/// @param can_compile_beside whether all GPUs that share the cells can compile beside their measurements
/// @param has_work is called once, as soon as it is known that a cell must be measured: before candidates are listed if
/// a cell has no winner
SweepPlan plan_sweep(const Executor& executor, const std::vector<Family>& families, const SweepRequest& request,
                     const History& history, bool can_compile_beside = false,
                     const std::function<void()>& has_work = {});

}  // namespace redtune::search
