#include "tuner/search/random_trials.h"

#include <numeric>
#include <utility>

namespace redtune::search {

RandomTrials::RandomTrials(std::size_t count, std::uint64_t seed) : random_(seed), order_(count) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) std::swap(order_[i - 1], order_[below(i)]);
}

}  // namespace redtune::search
