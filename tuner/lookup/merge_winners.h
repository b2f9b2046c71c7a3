#pragma once

#include <cstdint>
#include <vector>

#include "db/store.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// Merges the winners of several layers for one chip, problem and regime into tuned sizes, ascending by n, each n once.
/// If several layers have a winner for the same n, the first of these layers takes precedence. A winner of a replay
/// counts only where no layer has one that a GPU measured. Within a layer, the latest measurement is kept.
/// @param layers the winners of each layer, the layer with the highest precedence first
/// @param unit the elements of a row, or 1 (Shape::unit())
std::vector<TunedSize> merge_winners(std::vector<std::vector<db::StoredWinner>> layers, std::uint64_t unit);

}  // namespace redtune::lookup
