#include "tuner/lookup/snapshot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace redtune::lookup {

namespace {

/// Returns what identifies a chip, in the order in which chips of the same name are preferred: the one with the most
/// SMs first.
auto chip_key(const DeviceInfo& device) noexcept {
    return std::make_tuple(-std::int64_t{device.sm_count}, -device.compute_major, -device.compute_minor,
                           std::string_view(device.mig_profile));
}

/// Returns the sort key of tuned sizes. The row length is its last member, so that keys which differ only in the row
/// length are neighbours.
auto sort_key(const DeviceInfo& device, const Problem& problem, Regime regime) noexcept {
    return std::tuple_cat(
        std::make_tuple(std::string_view(device.name), std::string_view(problem.op), problem.input, problem.accumulator,
                        problem.output, problem.arrays, regime, problem.determinism, problem.destructive),
        chip_key(device), std::make_tuple(problem.row_length));
}

auto sort_key(const TunedSizes& tuned) noexcept {
    return sort_key(tuned.device, tuned.problem, tuned.regime);
}

/// Returns the rank of a winner among those of the same layer, chip, problem, regime and n. The winner with the largest
/// rank is kept.
auto rank_in_layer(const db::StoredWinner& winner) {
    return std::make_tuple(std::string_view(winner.measurement.measurement.measured_at), winner.measurement.id);
}

using Winners = std::map<std::uint64_t, db::StoredWinner>;

/// The key by which winners are grouped into tuned sizes.
struct TunedKey {
    DeviceInfo device;
    Problem problem;
    Regime regime = Regime::cold;

    bool operator<(const TunedKey& other) const {
        return sort_key(device, problem, regime) < sort_key(other.device, other.problem, other.regime);
    }
};

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
std::vector<TunedSize> tuned_sizes(Winners&& winners, std::uint64_t row_length) {
    std::vector<TunedSize> sizes;
    std::vector<std::vector<db::TimeAtSize>> times;
    for (auto& [n, winner] : winners) {
        times.push_back(std::move(winner.finalist_times));
        sizes.push_back(tuned_size(std::move(winner)));
    }
    std::size_t high = 0;
    for (std::size_t low = 0; (high = next_interpolation_size(sizes, low, row_length)) < sizes.size(); low = high) {
        sizes[high].of_lower_winner_us = time_at(times[low], sizes[high].n);
        sizes[low].of_upper_winner_us = time_at(times[high], sizes[low].n);
    }
    return sizes;
}

}  // namespace

Snapshot::Snapshot(std::vector<std::vector<db::StoredWinner>> layers) {
    std::map<TunedKey, Winners> merged;
    // Winners of replays come last, so that they count only where no GPU was measured.
    for (const bool replayed : {false, true}) {
        for (std::vector<db::StoredWinner>& layer : layers) {
            std::map<TunedKey, Winners> of_layer;
            for (db::StoredWinner& winner : layer) {
                if (db::is_replay(winner.source) != replayed) continue;
                Winners& winners = of_layer[{winner.device, winner.problem, winner.regime}];
                const auto rival = winners.find(winner.n);
                if (rival == winners.end()) {
                    winners.emplace(winner.n, std::move(winner));
                } else if (rank_in_layer(rival->second) < rank_in_layer(winner)) {
                    rival->second = std::move(winner);
                }
            }
            // std::map::merge() does not replace elements, so winners of an earlier layer stay.
            for (auto& [key, winners] : of_layer) merged[key].merge(winners);
        }
    }
    for (auto& [key, winners] : merged) {
        all_.push_back({key.device, key.problem, key.regime, tuned_sizes(std::move(winners), key.problem.row_length)});
    }
    const std::size_t tuned_for_themselves = all_.size();
    for (std::size_t i = 0; i < tuned_for_themselves; ++i) {
        if (all_[i].problem.determinism != Determinism::run_to_run) continue;
        TunedSizes relaxed = all_[i];
        relaxed.problem.determinism = Determinism::any;
        if (!merged.contains({relaxed.device, relaxed.problem, relaxed.regime})) all_.push_back(std::move(relaxed));
    }
    std::sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return sort_key(a) < sort_key(b); });
    for (std::size_t i = 0, end = 0; i < all_.size(); i = end) {
        const auto group = [&](std::size_t at) {
            return group_of(all_[at].device.name, all_[at].problem, all_[at].regime, all_[at].problem.destructive);
        };
        for (end = i + 1;
             end < all_.size() && group(end) == group(i) && is_same_chip(all_[end].device, all_[i].device);) {
            ++end;
        }
        groups_.push_back(std::span(all_).subspan(i, end - i));
        by_name_.try_emplace(group(i), groups_.back());
    }
}

Snapshot::Group Snapshot::group_of(std::string_view device, const Problem& problem, Regime regime,
                                   bool destructive) noexcept {
    return {device,         problem.op, problem.input,       problem.accumulator, problem.output,
            problem.arrays, regime,     problem.determinism, destructive,         problem.row_length != 0};
}

std::size_t Snapshot::HashGroup::operator()(const Group& group) const noexcept {
    const std::hash<std::string_view> hash;
    std::uint64_t numbers = group.arrays;
    for (const std::uint64_t number :
         {std::uint64_t(group.input), std::uint64_t(group.accumulator), std::uint64_t(group.output),
          std::uint64_t(group.regime), std::uint64_t(group.determinism), std::uint64_t(group.destructive),
          std::uint64_t(group.has_rows)}) {
        numbers = numbers << 5 | number;
    }
    return (hash(group.device) * 31 + hash(group.op)) ^ numbers;
}

const TunedSizes* Snapshot::find(std::string_view device, const Problem& problem, Regime regime) const noexcept {
    const TunedSizes* found = find_nearest(device, problem, regime, problem.destructive);
    // A configuration that does not write to its input also solves the problem whose input may be overwritten.
    if (found == nullptr && problem.destructive) found = find_nearest(device, problem, regime, false);
    return found;
}

const TunedSizes* Snapshot::find_nearest(std::string_view device, const Problem& problem, Regime regime,
                                         bool destructive) const noexcept {
    const auto found = by_name_.find(group_of(device, problem, regime, destructive));
    return found == by_name_.end() ? nullptr : &nearest_row_length(found->second, problem.row_length);
}

bool is_same_chip(const DeviceInfo& a, const DeviceInfo& b) noexcept {
    return a.name == b.name && chip_key(a) == chip_key(b);
}

const TunedSizes& nearest_row_length(std::span<const TunedSizes> group, std::uint64_t row_length) noexcept {
    const auto above = std::lower_bound(
        group.begin(), group.end(), row_length,
        [](const TunedSizes& tuned, std::uint64_t wanted) { return tuned.problem.row_length < wanted; });
    if (above == group.end()) return *(above - 1);
    if (above == group.begin() || above->problem.row_length == row_length) return *above;
    const auto distance = [&](auto tuned) {
        return std::abs(std::log2(static_cast<double>(tuned->problem.row_length) / static_cast<double>(row_length)));
    };
    return distance(above) <= distance(above - 1) ? *above : *(above - 1);
}

}  // namespace redtune::lookup
