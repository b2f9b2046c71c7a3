// The second stage of CellRunner: survivors.
#include <algorithm>
#include <cstddef>

#include "tuner/search/cell_runner.h"
#include "tuner/search/cell_stage_queue.h"
#include "tuner/search/choose.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

/// The survivors that have no measurement yet.
class CellRunner::SurvivorQueue final : public StageQueue {
  public:
    SurvivorQueue(CellRunner& runner, RecordedStage& survived, std::span<const std::size_t> survivors)
        : StageQueue(runner, Stage::survivor, survived), left_(survivors) {}

    std::optional<TrialRequest> next() override {
        while (!left_.empty() && !runner_.sweep_.stop) {
            const std::size_t i = left_.front();
            left_ = left_.subspan(1);
            // With a best time of 0 no survivor is stopped early: the times of survivors differ by little.
            if (!is_known(i)) return request(i, 0, false);
            report_progress();
        }
        return std::nullopt;
    }

    bool is_empty() const { return left_.empty(); }

  private:
    std::span<const std::size_t> left_;
};

/// Times the best of the screened trials longer. Where some fail, the next best take their place.
/// @return nullopt if the sweep is to stop
std::optional<RecordedStage> CellRunner::time_survivors_of(const RecordedStage& screened) {
    RecordedStage survived = sweep_.history.recorded(cell_, Stage::survivor);
    std::vector<std::size_t> survivors;
    std::ptrdiff_t failed = 0;
    do {
        survivors = near_best(without_failed(screened), timing::survivor_within, stages_.survivors);
        if (!time_survivors(survivors, survived)) return std::nullopt;
        failed = std::ranges::count_if(survivors,
                                       [&](std::size_t i) { return leave_out_if_failed(i, survived[i]->measurement); });
    } while (failed != 0);
    return survived;
}

/// Times the survivors that have no measurement yet.
/// @return false if the sweep is to stop
bool CellRunner::time_survivors(std::span<const std::size_t> survivors, RecordedStage& survived) {
    sweep_.executor.prepare(trials_at(survivors), {}, sweep_.stop);
    SurvivorQueue queue(*this, survived, survivors);
    measure_queue(queue, [&] { sweep_.executor.measure_queue(queue); });
    return queue.is_empty();
}

}  // namespace redtune::search
