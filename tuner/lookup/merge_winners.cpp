#include "tuner/lookup/merge_winners.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace redtune::lookup {

namespace {

/// Winners by n.
using Winners = std::map<std::uint64_t, db::StoredWinner>;

/// Returns the rank of a winner among those of the same layer and n. The winner with the largest rank is kept.
auto rank_in_layer(const db::StoredWinner& winner) {
    return std::make_tuple(std::string_view(winner.measurement.measurement.measured_at), winner.measurement.id);
}

/// Returns the winner as a TunedSize. Moves the texts and parameters out of the winner.
TunedSize tuned_size(db::StoredWinner&& winner) {
    return {.n = winner.n,
            .time_us = winner.measurement.measurement.median_us,
            .configuration = std::move(winner.measurement.configuration),
            .rule = winner.measurement.rule,
            .deterministic = winner.measurement.deterministic,
            .measured_at = std::move(winner.measurement.measurement.measured_at),
            .code_hash = std::move(winner.measurement.code_hash),
            .toolchain = std::move(winner.toolchain),
            .resources = winner.measurement.measurement.resources,
            .units = winner.units,
            .spread = winner.spread.value_or(0),
            .candidate_for = winner.candidate_for.value_or(db::SizeRange()),
            .data = std::move(winner.data)};
}

/// Returns the time at size n; 0 if `times` has none.
double time_at(const std::vector<db::TimeAtSize>& times, std::uint64_t n) {
    const auto found =
        std::find_if(times.begin(), times.end(), [&](const db::TimeAtSize& time) { return time.n == n; });
    return found == times.end() ? 0 : found->us;  // `times` lists the newest measurement first
}

/// Returns the winners as tuned sizes, each with the times of its neighbours' winners at its size.
std::vector<TunedSize> tuned_sizes(Winners&& winners, std::uint64_t unit) {
    std::vector<TunedSize> sizes;
    std::vector<std::vector<db::TimeAtSize>> times;
    for (auto& [n, winner] : winners) {
        times.push_back(std::move(winner.finalist_times));
        sizes.push_back(tuned_size(std::move(winner)));
    }
    std::size_t high = 0;
    for (std::size_t low = 0; (high = next_interpolation_size(sizes, low, unit)) < sizes.size(); low = high) {
        sizes[high].of_lower_winner_us = time_at(times[low], sizes[high].n);
        sizes[low].of_upper_winner_us = time_at(times[high], sizes[low].n);
    }
    return sizes;
}

}  // namespace

std::vector<TunedSize> merge_winners(std::vector<std::vector<db::StoredWinner>> layers, std::uint64_t unit) {
    Winners merged;
    // Winners of replays come last, so that they count only where no GPU was measured.
    for (const bool replayed : {false, true}) {
        for (std::vector<db::StoredWinner>& layer : layers) {
            Winners of_layer;
            for (db::StoredWinner& winner : layer) {
                if (db::is_replay(winner.source) != replayed) continue;
                const auto rival = of_layer.find(winner.n);
                if (rival == of_layer.end()) {
                    const std::uint64_t n = winner.n;
                    of_layer.emplace(n, std::move(winner));
                } else if (rank_in_layer(rival->second) < rank_in_layer(winner)) {
                    rival->second = std::move(winner);
                }
            }
            merged.merge(of_layer);  // does not replace elements, so winners of an earlier layer stay
        }
    }
    return tuned_sizes(std::move(merged), unit);
}

}  // namespace redtune::lookup
