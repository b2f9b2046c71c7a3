#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tuner/search/cell_runner.h"
#include "tuner/search/compile_queue.h"
#include "tuner/search/effort.h"
#include "tuner/search/sweep_clock.h"

namespace redtune::search {

/// Returns how many cells are searched at a time, at most, on each of several GPUs that compile beside their
/// measurements. A search of a cell waits for its kernels some times, each time about as long as the cell's
/// measurements take until then. The more cells, the less a search knows of near sizes when it begins, and the longer
/// the other GPUs wait at the end. The GPUs of a machine share its cores, which compile.
std::size_t most_cells_in_flight(Effort effort, std::size_t gpus = 1);

/// Returns how many processes compile for each of several GPUs that share the cores of a machine.
/// @param most_compilers of all GPUs together (Executor::most_compilers()); not 0
std::size_t compilers_of_a_gpu(std::size_t most_compilers, std::size_t gpus);

/// Returns the order in which `count` cells, listed by size, are searched with `in_flight` at a time: the indexes of
/// the first ones are spread over the list, the next ones lie between these, and so on. So cells that are searched at
/// the same time are far apart, and those that come later begin with what is known of near ones. Of those that are
/// spread over the list together, the largest comes first, because its measurements take the longest: while kernels are
/// scarce, the device has the most to do with each.
std::vector<std::size_t> spread_order(std::size_t count, std::size_t in_flight);

/// How many cells run_in_flight() searches at a time, and how their kernels are compiled.
struct FlightPlan {
    std::size_t cells = 1;      ///< number of cells that are searched at a time
    std::size_t compilers = 1;  ///< number of processes that compile
    /// For each of some cells, the trials whose kernels will all be needed, in the order in which they will. They are
    /// compiled when nothing waits for a compiler.
    std::vector<std::vector<Trial>> ahead;
};

/// Searches several cells of one unit at a time: while the kernels of one cell are compiled, the unit measures another.
/// Calls `run_cells` in threads, which help the unit to divide its cells (division.h); only one of them has the
/// turn, and the calling thread makes the measurements. The unit must have begun the list of the cells.
/// @param executor the unit's executor, which must compile beside measurements
/// @param turn the calling thread's lock of the turn; locked before and after the call
/// @param clock the unit's clock
/// @param compile_queue shared by all units of the sweep
/// @throws what a call of `run_cells` throws; Stopped if the sweep was stopped
void run_in_flight(const FlightPlan& plan, Executor& executor, std::unique_lock<std::mutex>& turn, SweepClock& clock,
                   CompileQueue& compile_queue, const SweepContext& context,
                   const std::function<void(const SweepContext&)>& run_cells);

}  // namespace redtune::search
