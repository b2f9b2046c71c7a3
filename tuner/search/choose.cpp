#include "tuner/search/choose.h"

#include <algorithm>
#include <limits>
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

namespace {

/// The finalists of a cell, with their ratios on each kind of data.
class Finalists {
  public:
    explicit Finalists(std::span<const std::vector<Measurement>> measurements) : measurements_(measurements) {
        for (std::size_t i = 0; !measurements.empty() && i < measurements.front().size(); ++i) {
            const bool is_ok = std::all_of(measurements.begin(), measurements.end(),
                                           [&](const auto& on_data) { return on_data[i].status == Status::ok; });
            if (is_ok) order_.push_back(i);
        }
        for (const auto& on_data : measurements) {
            double best = std::numeric_limits<double>::infinity();
            for (const std::size_t i : order_) best = std::min(best, on_data[i].median_us);
            best_us_.push_back(best);
        }
        std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return worst_ratio(a) < worst_ratio(b); });
    }

    /// Returns the finalists that are ok on all kinds of data, in ascending order of their worst ratio.
    const std::vector<std::size_t>& order() const { return order_; }

    std::vector<double> ratios(std::size_t i) const {
        std::vector<double> ratios;
        for (std::size_t k = 0; k < best_us_.size(); ++k) ratios.push_back(measurements_[k][i].median_us / best_us_[k]);
        return ratios;
    }
    double worst_ratio(std::size_t i) const { return std::ranges::max(ratios(i)); }

    /// Returns whether finalist i is not shown to be slower than finalist `best` on any kind of data.
    bool is_tied_on_all(std::size_t i, std::size_t best) const {
        return std::all_of(measurements_.begin(), measurements_.end(), [&](const auto& on_data) {
            return paired_ratio_interval(on_data[i].samples_us, on_data[best].samples_us).low <= 1;
        });
    }

  private:
    std::span<const std::vector<Measurement>> measurements_;
    std::vector<std::size_t> order_;
    std::vector<double> best_us_;  ///< for each kind of data, the best median of a finalist
};

}  // namespace

std::optional<Choice> choose(std::span<const std::vector<Measurement>> measurements,
                             std::span<const Simplicity> simplicity) {
    const Finalists finalists(measurements);
    const std::vector<std::size_t>& order = finalists.order();
    if (order.empty()) return std::nullopt;
    const std::size_t best = order.front();
    const auto cost = [&](std::size_t i) {
        return std::tuple(!simplicity[i].deterministic, simplicity[i].registers, i);
    };
    Choice choice{best, order.size() == 1 ? "only candidate" : "time", std::nullopt, {}};
    for (const std::size_t i : order) {
        const bool is_close = finalists.worst_ratio(i) <= finalists.worst_ratio(best) * tie_ratio;
        const bool is_tied = is_close || finalists.is_tied_on_all(i, best);
        if (is_tied && cost(i) < cost(choice.winner)) choice = {i, "simplicity", std::nullopt, {}};
    }
    for (const std::size_t i : order) {
        if (i == choice.winner) continue;
        choice.runner_up_ratio = finalists.worst_ratio(i) / finalists.worst_ratio(choice.winner);
        break;
    }
    choice.ratios = finalists.ratios(choice.winner);
    return choice;
}

}  // namespace redtune::search
