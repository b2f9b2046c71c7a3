#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "db/store.h"
#include "redtune/problem.h"
#include "tuner/lookup/layer_winners.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// The sizes tuned for one device, problem and regime, ascending by n, each n once.
struct TunedSizes : Subject {
    std::vector<TunedSize> sizes;
};

/// Returns whether two devices are the same hardware, except perhaps for the size of the memory: the same name, compute
/// capability, number of SMs and MIG profile.
bool is_same_chip(const DeviceInfo& a, const DeviceInfo& b) noexcept;

/// Returns the subject whose row length or number of columns is nearest on a logarithmic scale.
/// @param group subjects that differ only in that number, in ascending order of it; not empty
const Subject& nearest_shape(std::span<const Subject> group, Shape shape) noexcept;

/// Holds the winners of all layers. The winners of a subject are read when they are first asked for; once they are
/// read, they do not change. Any thread may use a snapshot.
class Snapshot {
  public:
    /// Makes a snapshot of winners that were already read, one list for each layer.
    explicit Snapshot(std::vector<std::vector<db::StoredWinner>> layers);

    /// Makes a snapshot that merges the winners of all layers as merge_winners() does.
    ///
    /// If a device, problem and regime have winners of Determinism::run_to_run only, look-ups for Determinism::any find
    /// these winners too.
    /// @param layers the winners of each layer, the layer with the highest precedence first
    static Snapshot read_on_demand(std::vector<std::vector<LayerWinners>> layers);

    Snapshot(const Snapshot&) = delete;

    /// Returns the tuned sizes of a device, problem and regime; null if there are none. Of several chips with this
    /// name, the one with the most SMs counts, so that a MIG slice never stands for the whole GPU. If the row length
    /// or number of columns was not tuned, returns the tuned sizes of nearest_shape(). Calls read().
    const TunedSizes* find(std::string_view device, const Problem& problem, Regime regime) const;

    /// Returns the tuned sizes of one of all(). The first call for a subject waits for a lock and reads the winners;
    /// later calls take no lock and allocate nothing.
    /// @throws DatabaseError if the winners cannot be read; the next call tries again
    const TunedSizes& read(const Subject& subject) const;

    /// Returns the subjects of all tuned sizes, sorted by device, problem and regime.
    std::span<const Subject> all() const noexcept { return all_; }

    /// Returns all(), in groups that differ only in the row length or number of columns and ascend by it.
    std::span<const std::span<const Subject>> groups() const noexcept { return groups_; }

  private:
    /// The device, problem and regime of tuned sizes, without the row length or number of columns.
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
        ShapeKind shape;

        friend bool operator==(const Group&, const Group&) = default;
    };
    struct HashGroup {
        std::size_t operator()(const Group& group) const noexcept;
    };

    /// The tuned sizes of a subject, once they are read.
    struct Slot {
        std::atomic<const TunedSizes*> read = nullptr;  ///< `sizes`; null until they are read
        // The other members need the mutex.
        std::unique_ptr<const TunedSizes> sizes;
        std::vector<std::vector<LayerWinners>> layers;  ///< the winners to merge; empty once they are read
    };

    explicit Snapshot(std::vector<std::vector<LayerWinners>> layers, std::nullptr_t);
    static Group group_of(std::string_view device, const Problem& problem, Regime regime, bool destructive) noexcept;
    /// Returns the subject of what find() returns, but searches only problems whose `destructive` has the given value.
    const Subject* find_nearest(std::string_view device, const Problem& problem, Regime regime,
                                bool destructive) const noexcept;
    void make_groups();

    std::vector<Subject> all_;
    mutable std::vector<Slot> slots_;               ///< of the subjects in `all_`, in the same order
    std::vector<std::span<const Subject>> groups_;  ///< parts of `all_`
    std::unordered_map<Group, std::span<const Subject>, HashGroup> by_name_;
    mutable std::mutex mutex_;
};

}  // namespace redtune::lookup
