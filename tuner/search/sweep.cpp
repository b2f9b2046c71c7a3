#include "tuner/search/sweep.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "tuner/search/between_stage.h"
#include "tuner/search/cell_runner.h"
#include "tuner/search/planner.h"
#include "tuner/search/size_check_stage.h"
#include "tuner/search/strategy.h"

namespace redtune::search {

Sweep::Sweep(Executor& executor, db::Store& store, const std::vector<Family>& families, SweepRequest request)
    : executor_(executor),
      store_(store),
      families_(families),
      request_(std::move(request)),
      history_(store, executor, families, request_) {
    check_request(executor_, request_);
    plan_ = plan_sweep(executor_, families_, request_, history_);
}

bool Sweep::is_done() const {
    return plan_.is_done() && !BetweenStage::has_work(executor_, history_, request_) &&
           !SizeCheckStage::has_work(executor_, store_, families_, request_);
}

SweepResult Sweep::run(const std::function<void(const SweepProgress&)>& show, const std::atomic<bool>& stop) {
    ProgressReporter progress(plan_, show);
    if (is_done()) return progress.result;

    const TimeBudget budget(request_.budget);
    SweepRecord record(store_, executor_, families_, request_);
    try {
        run_stages(record, progress, budget, stop);
    } catch (const Stopped&) {
        progress.result.interrupted = true;
    }
    progress.result.interrupted = progress.result.interrupted || stop;
    progress.result.out_of_time = budget.is_spent();
    const bool is_finished = !progress.result.interrupted && !progress.result.out_of_time;
    record.set_final_status(is_finished ? "finished" : "interrupted");
    return progress.result;
}

void Sweep::run_stages(SweepRecord& record, ProgressReporter& progress, const TimeBudget& budget,
                       const std::atomic<bool>& stop) {
    prepare(progress, stop);
    const SweepContext context{executor_, request_.problem, history_, record, progress, stop, request_.data, budget};
    auto left =
        static_cast<std::size_t>(std::ranges::count_if(plan_.cells, [](const Cell& cell) { return !cell.is_decided; }));
    executor_.use_data(request_.data.front());
    for (const Cell& cell : plan_.cells) {
        if (stop) break;
        if (cell.is_decided) continue;
        // The strategy is created right before its cell, so that its prior includes the cells that this sweep has just
        // measured.
        const Prior prior = history_.prior(cell);
        CellRunner(context, cell)
            .run(*make_strategy(request_, {cell, families_, prior}), budget.end_of_screening(left--));
    }
    BetweenStage(context, families_, request_).run();
    SizeCheckStage(context, store_, families_, request_).run();
}

void Sweep::prepare(ProgressReporter& progress, const std::atomic<bool>& stop) {
    std::vector<Trial> trials;
    for (const Cell& cell : plan_.cells) {
        if (!cell.is_decided) trials.insert(trials.end(), cell.trials.begin(), cell.trials.end());
    }
    executor_.prepare(
        trials,
        [&](const PrepareProgress& compile) {
            SweepProgress now;
            now.phase = SweepProgress::Phase::compile;
            now.compile = compile;
            progress.report(std::move(now));
        },
        stop);
    progress.remaining_s -= static_cast<double>(plan_.compiles) * executor_.compile_seconds();
}

}  // namespace redtune::search
