#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tuner/search/executor.h"

namespace redtune::search {

/// Returns whether two executors measure on units of one device: all but the UUID is the same, and so are the toolchain
/// and the source, so that each can use what the other has measured.
bool are_units_of_one_device(const Executor& a, const Executor& b);

/// Returns the indexes of the executors of each device, in their order.
std::vector<std::vector<std::size_t>> group_by_device(const std::vector<std::unique_ptr<Executor>>& executors);

}  // namespace redtune::search
