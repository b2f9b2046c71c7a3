#include "tuner/search/limited_strategy.h"

#include <utility>

namespace redtune::search {

namespace {

/// A search may end within a batch after so many trials that are not spare: the 16 of the first batch of an
/// evolutionary search, except for two. Spare trials alone are no search, because their kernels were compiled for other
/// trials.
constexpr std::size_t least_besides_spares = 14;

}  // namespace

/// Returns how many trials may be screened besides those that are screened.
std::size_t LimitedStrategy::left() const {
    if (most_screenings_ == no_limit) return no_limit;
    const std::size_t counted = screened_.size() + spares_.size() / 2;
    return counted < most_screenings_ ? most_screenings_ - counted : 0;
}

bool LimitedStrategy::is_over() const {
    return left() == 0 && screened_.size() >= least_besides_spares;
}

std::vector<std::size_t> LimitedStrategy::next() {
    const std::size_t most = left();
    if (most == 0) return {};
    // The strategy never asks for a trial twice, so those that were cut off must be kept.
    std::vector<std::size_t> batch = cut_.empty() ? strategy_->next() : std::exchange(cut_, {});
    if (batch.size() > most) {
        cut_.assign(batch.begin() + static_cast<std::ptrdiff_t>(most), batch.end());
        batch.resize(most);
    }
    return batch;
}

std::optional<std::size_t> LimitedStrategy::spare(const std::function<bool(std::size_t)>& is_ready) {
    if (left() == 0) return std::nullopt;
    const std::optional<std::size_t> trial = strategy_->spare(is_ready);
    if (trial) spares_.insert(*trial);
    return trial;
}

void LimitedStrategy::tell(std::size_t trial, const Measurement& screening) {
    if (!spares_.contains(trial)) screened_.insert(trial);
    strategy_->tell(trial, screening);
}

void LimitedStrategy::tell_pruned(std::size_t trial) {
    strategy_->tell_pruned(trial);
}

}  // namespace redtune::search
