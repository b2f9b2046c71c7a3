#include "tuner/search/limited_strategy.h"

#include <utility>

namespace redtune::search {

std::vector<std::size_t> LimitedStrategy::next() {
    if (screenings_ >= most_screenings_) return {};
    // The strategy never asks for a trial twice, so those that were cut off must be kept.
    std::vector<std::size_t> batch = cut_.empty() ? strategy_->next() : std::exchange(cut_, {});
    const std::size_t left = most_screenings_ - screenings_;
    if (batch.size() > left) {
        cut_.assign(batch.begin() + static_cast<std::ptrdiff_t>(left), batch.end());
        batch.resize(left);
    }
    return batch;
}

std::optional<std::size_t> LimitedStrategy::spare(const std::function<bool(std::size_t)>& is_ready) {
    const std::optional<std::size_t> trial = strategy_->spare(is_ready);
    if (trial) spares_.insert(*trial);
    return trial;
}

void LimitedStrategy::tell(std::size_t trial, const Measurement& screening) {
    if (!spares_.contains(trial)) ++screenings_;
    strategy_->tell(trial, screening);
}

}  // namespace redtune::search
