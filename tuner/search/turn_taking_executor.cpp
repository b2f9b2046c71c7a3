#include "tuner/search/turn_taking_executor.h"

namespace redtune::search {

namespace {

/// Unlocks a lock for the life of the object, and locks it again even if a request throws.
class WithoutTurn {
  public:
    explicit WithoutTurn(std::unique_lock<std::mutex>& turn) : turn_(turn) { turn_.unlock(); }
    ~WithoutTurn() { turn_.lock(); }
    WithoutTurn(const WithoutTurn&) = delete;
    WithoutTurn& operator=(const WithoutTurn&) = delete;

  private:
    std::unique_lock<std::mutex>& turn_;
};

}  // namespace

void TurnTakingExecutor::use_data(const timing::Data& data) {
    const WithoutTurn given_away(turn_);
    executor_.use_data(data);
}

void TurnTakingExecutor::prepare(std::span<const Trial> trials,
                                 const std::function<void(const PrepareProgress&)>& progress,
                                 const std::atomic<bool>& stop) {
    const WithoutTurn given_away(turn_);
    executor_.prepare(
        trials,
        [&](const PrepareProgress& now) {
            const std::lock_guard has_turn(*turn_.mutex());
            if (progress) progress(now);
        },
        stop);
}

Measurement TurnTakingExecutor::measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage,
                                        double best_us) {
    const WithoutTurn given_away(turn_);
    return executor_.measure(trial, n, regime, stage, best_us);
}

std::vector<Measurement> TurnTakingExecutor::compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                                     int rounds) {
    const WithoutTurn given_away(turn_);
    return executor_.compare(trials, n, regime, rounds);
}

void TurnTakingExecutor::finish() {
    const WithoutTurn given_away(turn_);
    executor_.finish();
}

}  // namespace redtune::search
