#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "db/store.h"

namespace redtune::search {

/// A winner with the finalists that the same store has for its cell.
struct StoredCell {
    db::StoredWinner winner;
    std::size_t store = 0;  ///< index of the store that has the winner
    /// Finalists on the winner's kind of data, without the winner, the fastest first. Those of the winner's unit come
    /// before those of other units; of a configuration only the newest measurement counts. read_rivals() sets them.
    std::vector<db::StoredMeasurement> rivals;
};

/// Returns whether a winner is to be verified.
using WinnerFilter = std::function<bool(const db::StoredWinner&)>;

/// Returns the winners of a device that `is_asked` selects, without rivals, sorted by problem, regime and n. If several
/// stores have a winner of the same problem, n and regime, the first store counts. As in look-ups, winners that were
/// replayed count only where no GPU was measured; but for a replay itself they count like the others.
/// @param stores the layers, the one with the highest precedence first
/// @param determinism the kind of winner; a cell without a winner of Determinism::any has the one of run_to_run
/// @param is_replayed_now the winners are verified against a recording
std::vector<StoredCell> stored_cells(std::span<const db::Store> stores, const DeviceInfo& device,
                                     Determinism determinism, bool is_replayed_now, const WinnerFilter& is_asked);

/// Sets the rivals of a cell, at most as many as a sweep has finalists.
/// @param store the store that has the winner
void read_rivals(StoredCell& cell, const db::Store& store);

}  // namespace redtune::search
