#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "db/location.h"
#include "db/store.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "redtune/tuning.h"
#include "tuner/gpu/device.h"
#include "tuner/jit/operator_file.h"
#include "tuner/jit/source_set.h"
#include "tuner/search/gpu_executor.h"
#include "tuner/search/planner.h"
#include "tuner/search/replay_executor.h"
#include "tuner/search/suggestions.h"
#include "tuner/search/sweep.h"

namespace redtune {

namespace {

search::SweepRequest request_of(const Problem& problem, const TuneOptions& options) {
    if (options.sizes.empty()) throw InputError("TuneOptions::sizes is empty; give at least one size");
    if (options.regimes.empty()) throw InputError("TuneOptions::regimes is empty; give at least one regime");
    search::SweepRequest request;
    request.runs_at_once = true;
    request.problem = problem;
    request.sizes = options.sizes;
    std::ranges::sort(request.sizes);
    request.sizes.erase(std::unique(request.sizes.begin(), request.sizes.end()), request.sizes.end());
    request.regimes = options.regimes;
    request.command = "redtune::tune()";
    request.effort = search::parse_effort(options.effort);
    request.between = options.between;
    request.data = timing::parse_data_list({}, problem);
    request.budget = options.budget;
    return request;
}

std::unique_ptr<search::Executor> executor_of(const search::SweepRequest& request, const TuneOptions& options,
                                              const jit::SourceSet& sources, jit::CubinCache& cache) {
    if (!options.recording.empty()) {
        return std::make_unique<search::ReplayExecutor>(options.recording, request.problem, sources.families());
    }
    return std::make_unique<search::GpuExecutor>(gpu::device_at(options.device), request.problem, request.sizes.back(),
                                                 sources, cache);
}

TuneProgress shown(const search::SweepProgress& now) {
    TuneProgress progress;
    progress.is_compiling = now.phase == search::SweepProgress::Phase::compile;
    progress.compiled = now.compile.done;
    progress.kernels = now.compile.total;
    if (now.cell != nullptr) {
        progress.n = now.cell->n;
        progress.regime = now.cell->regime;
    }
    progress.screened = now.done;
    progress.candidates = now.total;
    progress.best_us = now.best_us;
    progress.remaining_s = now.remaining_s;
    return progress;
}

}  // namespace

TuneResult tune(const Problem& problem, const TuneOptions& options) {
    search::SweepRequest request = request_of(problem, options);
    jit::SourceSet sources = jit::SourceSet::load();
    if (auto own = jit::read_given_operator(options.operator_file, options.operator_source)) {
        sources.add_operator(own->path, std::move(own->text));
    }
    const std::vector<Family> families = sources.families();
    jit::CubinCache cache = jit::CubinCache::open_default();
    const auto executor = executor_of(request, options, sources, cache);
    search::check_request(*executor, request);
    search::leave_out_missing_data(*executor, request);
    const std::filesystem::path database = options.database.value_or(db::user_database_path());
    db::Store store = db::Store::open(database, db::Access::read_write);
    store.complete_configurations(families);
    const std::optional<Catalog> catalog = search::open_catalog(database);
    request.catalog = catalog ? &*catalog : nullptr;

    static const std::atomic<bool> never = false;
    const search::SweepResult done = search::Sweep(*executor, store, families, std::move(request))
                                         .run(
                                             [&](const search::SweepProgress& now) {
                                                 if (options.progress) options.progress(shown(now));
                                             },
                                             options.stop != nullptr ? *options.stop : never);
    return {done.screened, done.failed, done.without_winner, done.interrupted, done.out_of_time};
}

}  // namespace redtune
