#include "tuner/lookup/snapshot.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "tuner/lookup/merge_winners.h"

namespace redtune::lookup {

namespace {

/// Returns what identifies a chip, in the order in which chips of the same name are preferred: the one with the most
/// SMs first.
auto chip_key(const DeviceInfo& device) noexcept {
    return std::make_tuple(-std::int64_t{device.sm_count}, -device.compute_major, -device.compute_minor,
                           std::string_view(device.mig_profile));
}

/// Returns the sort key of tuned sizes. The shape is its last part, so that keys which differ only in the row
/// length or in the number of columns are neighbours.
auto sort_key(const DeviceInfo& device, const Problem& problem, Regime regime) noexcept {
    return std::tuple_cat(
        std::make_tuple(std::string_view(device.name), std::string_view(problem.op), problem.input, problem.accumulator,
                        problem.output, problem.arrays, regime, problem.determinism, problem.destructive),
        chip_key(device), std::make_tuple(problem.row_length, problem.columns));
}

struct BySortKey {
    bool operator()(const Subject& a, const Subject& b) const {
        return sort_key(a.device, a.problem, a.regime) < sort_key(b.device, b.problem, b.regime);
    }
};

/// The winners of each subject, by layers.
using Merged = std::map<Subject, std::vector<std::vector<LayerWinners>>, BySortKey>;

/// Lets subjects of Determinism::run_to_run without a counterpart of Determinism::any serve as that counterpart.
void add_relaxed(Merged& merged) {
    Merged relaxed;
    for (const auto& [subject, layers] : merged) {
        if (subject.problem.determinism != Determinism::run_to_run) continue;
        Subject any = subject;
        any.problem.determinism = Determinism::any;
        if (!merged.contains(any)) relaxed.emplace(std::move(any), layers);
    }
    merged.merge(relaxed);
}

}  // namespace

Snapshot Snapshot::read_on_demand(std::vector<std::vector<LayerWinners>> layers) {
    return Snapshot(std::move(layers), nullptr);
}

Snapshot::Snapshot(std::vector<std::vector<db::StoredWinner>> layers)
    : Snapshot(
          [&] {
              std::vector<std::vector<LayerWinners>> grouped;
              for (auto& winners : layers) grouped.push_back(group_winners(std::move(winners)));
              return grouped;
          }(),
          nullptr) {}

Snapshot::Snapshot(std::vector<std::vector<LayerWinners>> layers, std::nullptr_t) {
    Merged merged;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        for (LayerWinners& winners : layers[i]) {
            auto& of_subject = merged[winners.subject];
            of_subject.resize(layers.size());
            of_subject[i].push_back(std::move(winners));
        }
    }
    add_relaxed(merged);
    slots_ = std::vector<Slot>(merged.size());
    for (auto& [subject, winners] : merged) {
        slots_[all_.size()].layers = std::move(winners);
        all_.push_back(subject);
    }
    make_groups();
}

void Snapshot::make_groups() {
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

const TunedSizes& Snapshot::read(const Subject& subject) const {
    Slot& slot = slots_[static_cast<std::size_t>(&subject - all_.data())];
    if (const TunedSizes* found = slot.read.load(std::memory_order_acquire)) return *found;
    const std::lock_guard lock(mutex_);
    if (slot.sizes == nullptr) {
        std::vector<std::vector<db::StoredWinner>> layers(slot.layers.size());
        for (std::size_t i = 0; i < layers.size(); ++i) {
            for (const LayerWinners& winners : slot.layers[i])
                std::ranges::move(winners.read(), std::back_inserter(layers[i]));
        }
        auto sizes = std::make_unique<TunedSizes>();
        static_cast<Subject&>(*sizes) = subject;
        sizes->sizes = merge_winners(std::move(layers), shape_of(subject.problem).unit());
        slot.sizes = std::move(sizes);
        slot.layers.clear();
        slot.read.store(slot.sizes.get(), std::memory_order_release);
    }
    return *slot.sizes;
}

Snapshot::Group Snapshot::group_of(std::string_view device, const Problem& problem, Regime regime,
                                   bool destructive) noexcept {
    return {device,         problem.op, problem.input,       problem.accumulator, problem.output,
            problem.arrays, regime,     problem.determinism, destructive,         shape_of(problem).kind()};
}

std::size_t Snapshot::HashGroup::operator()(const Group& group) const noexcept {
    const std::hash<std::string_view> hash;
    std::uint64_t numbers = group.arrays;
    for (const std::uint64_t number :
         {std::uint64_t(group.input), std::uint64_t(group.accumulator), std::uint64_t(group.output),
          std::uint64_t(group.regime), std::uint64_t(group.determinism), std::uint64_t(group.destructive),
          std::uint64_t(group.shape)}) {
        numbers = numbers << 5 | number;
    }
    return (hash(group.device) * 31 + hash(group.op)) ^ numbers;
}

const TunedSizes* Snapshot::find(std::string_view device, const Problem& problem, Regime regime) const {
    const Subject* found = find_nearest(device, problem, regime, problem.destructive);
    // A configuration that does not write to its input also solves the problem whose input may be overwritten.
    if (found == nullptr && problem.destructive) found = find_nearest(device, problem, regime, false);
    return found == nullptr ? nullptr : &read(*found);
}

const Subject* Snapshot::find_nearest(std::string_view device, const Problem& problem, Regime regime,
                                      bool destructive) const noexcept {
    const auto found = by_name_.find(group_of(device, problem, regime, destructive));
    return found == by_name_.end() ? nullptr : &nearest_shape(found->second, shape_of(problem));
}

bool is_same_chip(const DeviceInfo& a, const DeviceInfo& b) noexcept {
    return a.name == b.name && chip_key(a) == chip_key(b);
}

const Subject& nearest_shape(std::span<const Subject> group, Shape shape) noexcept {
    const auto unit_of = [](const Subject& tuned) { return shape_of(tuned.problem).unit(); };
    const auto above =
        std::lower_bound(group.begin(), group.end(), shape.unit(),
                         [&](const Subject& tuned, std::uint64_t wanted) { return unit_of(tuned) < wanted; });
    if (above == group.end()) return *(above - 1);
    if (above == group.begin() || unit_of(*above) == shape.unit()) return *above;
    const auto distance = [&](auto tuned) {
        return std::abs(std::log2(static_cast<double>(unit_of(*tuned)) / static_cast<double>(shape.unit())));
    };
    return distance(above) <= distance(above - 1) ? *above : *(above - 1);
}

}  // namespace redtune::lookup
