#include "tuner/search/limited_strategy.h"

#include <algorithm>
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

/// Returns whether there may be a spare trial besides all that are to be screened in the end.
bool LimitedStrategy::may_spare() const {
    if (most_with_spares_ == no_limit) return true;
    return std::max(screenings_, most_screenings_) + spares_.size() < most_with_spares_;
}

std::optional<std::size_t> LimitedStrategy::spare(const std::function<bool(std::size_t)>& is_ready) {
    if (!may_spare()) return std::nullopt;
    const std::optional<std::size_t> trial = strategy_->spare(is_ready);
    if (trial) spares_.insert(*trial);
    return trial;
}

void LimitedStrategy::tell(std::size_t trial, const Measurement& screening) {
    if (!spares_.contains(trial)) ++screenings_;
    strategy_->tell(trial, screening);
}

}  // namespace redtune::search
