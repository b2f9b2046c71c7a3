#include "tuner/search/choose.h"

#include <algorithm>
#include <tuple>

#include "tuner/core/statistics.h"

namespace redtune::search {

std::vector<std::size_t> near_best(std::span<const Measurement> measurements, double within, std::size_t most) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        if (measurements[i].status == Status::ok) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return measurements[a].median_us < measurements[b].median_us;
    });
    if (order.empty()) return order;
    const double limit = measurements[order.front()].median_us * (1 + within);
    std::erase_if(order, [&](std::size_t i) { return measurements[i].median_us > limit; });
    if (order.size() > most) order.resize(most);
    return order;
}

std::optional<Choice> choose(std::span<const Measurement> finalists, std::span<const Simplicity> simplicity) {
    const std::vector<std::size_t> order = near_best(finalists, 1e9, finalists.size());
    if (order.empty()) return std::nullopt;
    const std::size_t best = order.front();
    const auto cost = [&](std::size_t i) {
        return std::tuple(!simplicity[i].deterministic, simplicity[i].registers, i);
    };
    Choice choice{best, order.size() == 1 ? "only candidate" : "time", std::nullopt};
    for (const std::size_t i : order) {
        const bool is_close = finalists[i].median_us <= finalists[best].median_us * tie_ratio;
        const bool is_tied =
            is_close || paired_ratio_interval(finalists[i].samples_us, finalists[best].samples_us).low <= 1;
        if (is_tied && cost(i) < cost(choice.winner)) choice = {i, "simplicity", std::nullopt};
    }
    for (const std::size_t i : order) {
        if (i == choice.winner) continue;
        choice.runner_up_ratio = finalists[i].median_us / finalists[choice.winner].median_us;
        break;
    }
    return choice;
}

}  // namespace redtune::search
