// redtune_tune() of redtune.h. No exception leaves it.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "redtune.h"
#include "redtune/tuning.h"
#include "tuner/runtime/c_errors.h"
#include "tuner/runtime/c_structs.h"

namespace {

using redtune::runtime::fail_in_c;
using redtune::runtime::guarded;
using redtune::runtime::problem_of;
using redtune::runtime::read_sized;

redtune::TuneOptions options_of(const redtune_tune_options& given, const redtune_problem& problem) {
    redtune::TuneOptions options;
    if (given.effort != nullptr) options.effort = given.effort;
    if (given.budget_s != 0) options.budget = std::chrono::duration<double>(given.budget_s);
    if (given.between != 0) options.between = given.between;
    if (given.no_between != 0) options.between = 0;
    options.device = given.device;
    if (given.recording != nullptr) options.recording = given.recording;
    if (given.database != nullptr) options.database = given.database;
    if (problem.operator_file != nullptr) options.operator_file = problem.operator_file;
    if (problem.operator_source != nullptr) options.operator_source = problem.operator_source;
    return options;
}

redtune_tune_progress progress_of(const redtune::TuneProgress& now) {
    redtune_tune_progress progress = {};
    progress.size = sizeof progress;
    progress.is_compiling = now.is_compiling ? 1 : 0;
    progress.compiled = now.compiled;
    progress.kernels = now.kernels;
    progress.n = now.n;
    progress.screened = now.screened;
    progress.candidates = now.candidates;
    progress.best_us = now.best_us;
    progress.remaining_s = now.remaining_s;
    return progress;
}

/// Writes what the caller's version of the struct has.
void write_result(const redtune::TuneResult& done, redtune_tune_result& result) {
    redtune_tune_result all = {};
    all.size = result.size;
    all.screened = done.screened;
    all.failed = done.failed;
    all.sizes_without_winner = done.sizes_without_winner;
    all.is_interrupted = done.is_interrupted ? 1 : 0;
    all.is_out_of_time = done.is_out_of_time ? 1 : 0;
    std::memcpy(&result, &all, std::min(result.size, sizeof all));
}

}  // namespace

extern "C" redtune_status redtune_tune(const redtune_problem* problem, const uint64_t* sizes, size_t count,
                                       const redtune_tune_options* options, redtune_tune_result* result) {
    return guarded([&] {
        if (problem == nullptr) return fail_in_c(REDTUNE_INVALID_ARGUMENT, "the problem is NULL");
        if (sizes == nullptr) return fail_in_c(REDTUNE_INVALID_ARGUMENT, "the sizes are NULL");
        const redtune_problem wanted = read_sized(*problem, "redtune_problem");
        redtune_tune_options given = {};
        if (options != nullptr) given = read_sized(*options, "redtune_tune_options");
        if (result != nullptr) read_sized(*result, "redtune_tune_result");
        std::atomic<bool> stop = false;
        redtune::TuneOptions all = options_of(given, wanted);
        all.sizes.assign(sizes, sizes + count);
        all.stop = &stop;
        if (given.progress != nullptr) {
            all.progress = [&](const redtune::TuneProgress& now) {
                const redtune_tune_progress progress = progress_of(now);
                if (given.progress(&progress, given.context) != 0) stop = true;
            };
        }
        const redtune::TuneResult done = redtune::tune(problem_of(wanted), all);
        if (result != nullptr) write_result(done, *result);
        return REDTUNE_OK;
    });
}
