#pragma once

#include <functional>
#include <map>

#include "tuner/lookup/obstacle.h"
#include "tuner/lookup/snapshot.h"

namespace redtune::lookup {

/// The number of configurations that were left out, by obstacle.
using LeftOut = std::map<Obstacle, std::size_t>;

/// Removes the sizes for whose configuration change(size) returns an obstacle, and counts these in `left_out`. A size
/// whose neighbour is removed loses the time of the neighbour's winner. `change` may change the size that it is given.
void filter_sizes(TunedSizes& tuned, const std::function<Obstacle(TunedSize&)>& change, LeftOut& left_out);

}  // namespace redtune::lookup
