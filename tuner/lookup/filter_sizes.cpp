#include "tuner/lookup/filter_sizes.h"

#include <utility>
#include <vector>

namespace redtune::lookup {

void filter_sizes(TunedSizes& tuned, const std::function<Obstacle(TunedSize&)>& change, LeftOut& left_out) {
    std::vector<TunedSize>& sizes = tuned.sizes;
    std::vector<bool> is_kept;
    for (TunedSize& size : sizes) {
        const Obstacle obstacle = change(size);
        is_kept.push_back(obstacle == Obstacle::none);
        if (obstacle != Obstacle::none) ++left_out[obstacle];
    }
    std::size_t high = 0;
    for (std::size_t low = 0;
         (high = next_interpolation_size(sizes, low, shape_of(tuned.problem).unit())) < sizes.size(); low = high) {
        if (is_kept[low] && is_kept[high]) continue;
        sizes[high].of_lower_winner_us = 0;
        sizes[low].of_upper_winner_us = 0;
    }
    std::vector<TunedSize> kept;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (is_kept[i]) kept.push_back(std::move(sizes[i]));
    }
    sizes = std::move(kept);
}

}  // namespace redtune::lookup
