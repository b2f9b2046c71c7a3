#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tuner/search/cell_runner.h"
#include "tuner/search/shared_compilation.h"
#include "tuner/search/sweep_clock.h"

namespace redtune::search {

/// Returns how many cells are searched at a time, at most, on each of several GPUs that compile beside their
/// measurements. A search of a cell waits for its kernels some times, each time about as long as the cell's
/// measurements take until then. The GPUs of a machine share its cores, and each cell has a process that compiles.
std::size_t most_cells_in_flight(std::size_t gpus = 1);

/// Returns the order in which `count` cells, listed by size, are searched with `in_flight` at a time: the indexes of
/// the first ones are spread over the list, the next ones lie between these, and so on. So cells that are searched at
/// the same time are far apart, and those that come later begin with what is known of near ones.
std::vector<std::size_t> spread_order(std::size_t count, std::size_t in_flight);

/// Searches several cells of one unit at a time: while the kernels of one cell are compiled, the unit measures another.
/// Calls `run_cells` in `count` threads, which help the unit to divide its cells (division.h); only one of them has the
/// turn, and the calling thread makes the measurements. The unit must have begun the list of the cells.
/// @param executor the unit's executor, which must compile beside measurements
/// @param turn the calling thread's lock of the turn; locked before and after the call
/// @param clock the unit's clock
/// @param compilation shared by all units of the sweep
/// @param ahead for each of some cells, the trials whose kernels a further thread compiles, in this order, so that most
/// are there when they are needed
/// @throws what a call of `run_cells` throws; Stopped if the sweep was stopped
void run_in_flight(std::size_t count, Executor& executor, std::unique_lock<std::mutex>& turn, SweepClock& clock,
                   SharedCompilation& compilation, const std::vector<std::vector<Trial>>& ahead,
                   const SweepContext& context, const std::function<void(const SweepContext&)>& run_cells);

}  // namespace redtune::search
