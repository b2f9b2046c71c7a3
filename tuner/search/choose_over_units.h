#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "db/store.h"

namespace redtune::search {

/// Chooses the winner among the finalists of several units (GPUs of one device). A configuration's ratio is its time
/// over the best time of a finalist, on one unit and one kind of data. The winner is the configuration whose worst
/// ratio is least, or a simpler one (see Simplicity) whose worst ratio is within tie_ratio of the least.
///
/// Only configurations that are finalists on every unit compete. If there are none, the unit that was measured longest
/// ago is left out, and so on, because its finalists may be of older code.
/// @param units the unit that was measured last comes first
/// @return the measurement on the first unit; nullopt if the first two units have no common finalist
std::optional<db::WinnerOfUnits> choose_over_units(std::span<const db::UnitFinalists> units);

/// Chooses the winner of a device, problem, size, regime and determinism by choose_over_units(), and stores it. If that
/// function returns nullopt, stores the winner of the unit that was measured last.
void update_winner(db::Store& store, const db::WinnerKey& key);

/// Calls update_winner() for every winner of a database, in one transaction.
void update_winners(db::Store& store);

}  // namespace redtune::search
