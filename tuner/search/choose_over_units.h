#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "db/store.h"

namespace redtune::search {

/// Chooses the winner among the finalists of several units (GPUs of one device): the configuration whose time is, on
/// the unit and the data where it does worst, nearest to the best time there. A simpler configuration (see Simplicity)
/// wins if this ratio of its is within tie_ratio of the least.
///
/// Only configurations that are finalists on every unit compete. If there is none, the unit that was measured longest
/// ago is left out, and so on: its finalists may be of older code.
/// @param units the unit that was measured last comes first
/// @return the measurement on the first unit; nullopt if the first two units have no common finalist
std::optional<db::WinnerOfUnits> choose_over_units(std::span<const db::UnitFinalists> units);

/// Sets the winner of a device, problem, size, regime and determinism, by choose_over_units(). If it is empty, the
/// winner of the unit that was measured last becomes the winner.
void update_winner(db::Store& store, const db::WinnerKey& key);

/// Sets all winners of a database by update_winner(), in one transaction.
void update_winners(db::Store& store);

}  // namespace redtune::search
