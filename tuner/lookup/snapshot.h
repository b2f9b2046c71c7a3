#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/store.h"
#include "redtune/problem.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// The sizes tuned for one device, problem and regime, ascending by n, each n once.
struct TunedSizes {
    std::string device;
    Problem problem;
    Regime regime = Regime::cold;
    std::vector<TunedSize> sizes;
};

/// All winners of all layers. Immutable once made: any thread may read it.
class Snapshot {
  public:
    /// @param layers the winners of each layer; of the same device name, problem, regime and n, the first layer's
    /// counts. Within one layer, the device with the most SMs does (a MIG slice never stands for the whole GPU),
    /// then the latest measured.
    ///
    /// Where nothing was tuned for Determinism::any, what was tuned for run_to_run answers for it too.
    explicit Snapshot(std::vector<std::vector<db::StoredWinner>> layers);

    /// Null where nothing is known. Of rows, where their length was not tuned, the nearest that was (in log length).
    /// Allocates nothing.
    const TunedSizes* find(std::string_view device, const Problem& problem, Regime regime) const noexcept;

    /// Sorted by device, problem and regime.
    std::span<const TunedSizes> all() const noexcept { return all_; }

  private:
    const TunedSizes* find_nearest(std::string_view device, const Problem& problem, Regime regime,
                                   bool destructive) const noexcept;

    std::vector<TunedSizes> all_;
};

}  // namespace redtune::lookup
