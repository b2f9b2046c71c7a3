#include "tuner/cli/job_sweeps.h"

#include <algorithm>
#include <exception>
#include <thread>

#include "tuner/cli/progress_line.h"
#include "tuner/search/device_groups.h"

namespace redtune::cli {

namespace {

void add(const search::SweepResult& result, search::SweepResult& sum) {
    sum.interrupted = sum.interrupted || result.interrupted;
    sum.out_of_time = sum.out_of_time || result.out_of_time;
    sum.lost_units += result.lost_units;
    sum.measured += result.measured;
    sum.failed += result.failed;
    sum.screened += result.screened;
    sum.stopped_early += result.stopped_early;
    sum.pruned += result.pruned;
    sum.without_winner += result.without_winner;
    sum.timing += result.timing;
}

}  // namespace

JobSweeps::JobSweeps(const std::vector<std::unique_ptr<search::Executor>>& executors,
                     const std::vector<std::string>& labels, db::Store& store, const std::vector<Family>& families,
                     const search::SweepRequest& request)
    : devices_(executors.size()) {
    search::SweepRequest shared = request;
    shared.gpus = executors.size();
    for (const std::vector<std::size_t>& group : search::group_by_device(executors)) {
        Model& model = models_.emplace_back();
        std::vector<search::Executor*> units;
        for (const std::size_t i : group) {
            units.push_back(executors[i].get());
            model.labels.push_back(labels[i]);
        }
        model.executor = units.front();
        model.sweep = std::make_unique<search::Sweep>(units, store, families, shared, turn_);
    }
}

bool JobSweeps::is_done() const {
    return std::ranges::all_of(models_, [](const Model& model) { return model.sweep->is_done(); });
}

search::SweepResult JobSweeps::run(const std::atomic<bool>& stop) {
    ProgressLine line;
    const auto run_model = [&](const Model& model) {
        const std::vector<std::string> labels = devices_ == 1 ? std::vector<std::string>() : model.labels;
        return model.sweep->run([&](const search::SweepProgress& progress) { line.show(progress, labels); }, stop);
    };
    if (models_.size() == 1) return run_model(models_.front());
    std::vector<search::SweepResult> results(models_.size());
    std::vector<std::exception_ptr> errors(models_.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < models_.size(); ++i) {
        threads.emplace_back([&, i] {
            try {
                results[i] = run_model(models_[i]);
            } catch (...) {
                errors[i] = std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
    search::SweepResult sum;
    for (const search::SweepResult& result : results) add(result, sum);
    return sum;
}

}  // namespace redtune::cli
