#include "tuner/timing/placement.h"

#include <numeric>

namespace redtune::timing {

std::size_t nearest_start(std::span<const std::uint32_t> cycles, std::size_t wanted) {
    std::size_t nearest = 0;
    std::uint64_t least = 0;
    for (std::size_t begin = 0; begin + wanted <= cycles.size(); ++begin) {
        const auto window = cycles.subspan(begin, wanted);
        const std::uint64_t total = std::accumulate(window.begin(), window.end(), std::uint64_t{0});
        if (begin != 0 && total >= least) continue;
        least = total;
        nearest = begin;
    }
    return nearest;
}

}  // namespace redtune::timing
