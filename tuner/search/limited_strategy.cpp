#include "tuner/search/limited_strategy.h"

#include <algorithm>

namespace redtune::search {

std::vector<std::size_t> LimitedStrategy::next() {
    if (screenings_ >= most_screenings_) return {};
    std::vector<std::size_t> batch = strategy_->next();
    batch.resize(std::min(batch.size(), most_screenings_ - screenings_));
    return batch;
}

void LimitedStrategy::tell(std::size_t trial, const Measurement& screening) {
    ++screenings_;
    strategy_->tell(trial, screening);
}

}  // namespace redtune::search
