#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "db/store.h"
#include "redtune/problem.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// The sizes tuned for one device, problem and regime, ascending by n, each n once.
struct TunedSizes {
    DeviceInfo device;
    Problem problem;
    Regime regime = Regime::cold;
    std::vector<TunedSize> sizes;
};

/// Returns whether two devices are the same hardware, except perhaps for the size of the memory: the same name, compute
/// capability, number of SMs and MIG profile.
bool is_same_chip(const DeviceInfo& a, const DeviceInfo& b) noexcept;

/// Returns the tuned sizes for the row length that is nearest on a logarithmic scale.
/// @param group tuned sizes that differ only in the row length, in ascending order of it; not empty
const TunedSizes& nearest_row_length(std::span<const TunedSizes> group, std::uint64_t row_length) noexcept;

/// Holds the winners of all layers. A snapshot is immutable, so that any thread may read it.
class Snapshot {
  public:
    /// Merges the winners of all layers. If several layers have a winner for the same chip (is_same_chip()), problem,
    /// regime and n, the first of these layers takes precedence. A winner of a replay counts only where no layer has
    /// one that a GPU measured. Within a layer, the latest measurement is kept.
    ///
    /// If a device, problem and regime have winners of Determinism::run_to_run only, look-ups for Determinism::any find
    /// these winners too.
    /// @param layers the winners of each layer, the layer with the highest precedence first
    explicit Snapshot(std::vector<std::vector<db::StoredWinner>> layers);
    Snapshot(const Snapshot&) = delete;  // the groups are spans of all_
    Snapshot(Snapshot&&) = default;

    /// Returns the tuned sizes of a device, problem and regime; null if there are none. Of several chips with this
    /// name, the one with the most SMs counts, so that a MIG slice never stands for the whole GPU. If the row length
    /// was not tuned, returns the tuned sizes of nearest_row_length(). Allocates nothing.
    const TunedSizes* find(std::string_view device, const Problem& problem, Regime regime) const noexcept;

    /// Returns all tuned sizes, sorted by device, problem and regime.
    std::span<const TunedSizes> all() const noexcept { return all_; }

    /// Returns all tuned sizes, in groups that differ only in the row length and ascend by it.
    std::span<const std::span<const TunedSizes>> groups() const noexcept { return groups_; }

  private:
    /// The device, problem and regime of tuned sizes, without the row length.
    struct Group {
        std::string_view device;
        std::string_view op;
        Type input;
        Type accumulator;
        Type output;
        std::uint32_t arrays;
        Regime regime;
        Determinism determinism;
        bool destructive;
        bool has_rows;

        friend bool operator==(const Group&, const Group&) = default;
    };
    struct HashGroup {
        std::size_t operator()(const Group& group) const noexcept;
    };

    static Group group_of(std::string_view device, const Problem& problem, Regime regime, bool destructive) noexcept;
    /// Returns what find() returns, but searches only problems whose `destructive` has the given value.
    const TunedSizes* find_nearest(std::string_view device, const Problem& problem, Regime regime,
                                   bool destructive) const noexcept;

    std::vector<TunedSizes> all_;
    std::vector<std::span<const TunedSizes>> groups_;  ///< parts of `all_`
    std::unordered_map<Group, std::span<const TunedSizes>, HashGroup> by_name_;
};

}  // namespace redtune::lookup
