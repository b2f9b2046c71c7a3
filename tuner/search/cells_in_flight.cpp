#include "tuner/search/cells_in_flight.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "redtune/error.h"
#include "tuner/search/queued_executor.h"
#include "tuner/search/request_queue.h"
#include "tuner/search/turn_taking_executor.h"

namespace redtune::search {

namespace {

constexpr std::size_t most_on_a_gpu = 6;
constexpr std::size_t least_on_a_gpu = 2;
constexpr std::size_t most_on_all_gpus = 16;

/// The objects that the threads of run_in_flight() share. A thread that has the turn may use `is_stopped` and
/// `failure`.
struct Flight {
    Flight(std::size_t threads, SharedCompilation& compilation_of_all, const SweepContext& context)
        : queue(threads), compilation(compilation_of_all), data_in_use(context.data.front()) {}

    RequestQueue queue;
    SharedCompilation& compilation;
    timing::Data data_in_use;    ///< used by the thread that measures only
    bool is_stopped = false;     ///< a thread was stopped: the sweep is over, or another thread failed
    std::exception_ptr failure;  ///< the first other exception of a thread
};

/// The work of one thread.
void search_cells(Flight& flight, Executor& executor, std::mutex& turn_of_all, SweepClock& clock,
                  const SweepContext& context, const std::function<void(const SweepContext&)>& run_cells) {
    QueuedExecutor queued(executor, flight.queue, flight.data_in_use, context.data.front(), executor.make_compiler(),
                          flight.compilation);
    {
        std::unique_lock turn(turn_of_all);
        TurnTakingExecutor turn_taking(queued, turn, clock);
        Division::Member member(context.division, turn,
                                [&flight] { return flight.is_stopped || flight.failure != nullptr; });
        try {
            run_cells({turn_taking, context.problem, context.history, context.record, context.progress, context.stop,
                       member, context.data, context.budget, context.stages, context.unit, context.compiles_as_needed,
                       context.passed});
        } catch (const Stopped&) {
            flight.is_stopped = true;
        } catch (...) {
            if (flight.failure == nullptr) flight.failure = std::current_exception();
        }
    }
    flight.queue.leave();
}

/// Compiles the kernels of some cells, except for those that another thread has begun to compile. The cells that need
/// them compile what this thread cannot.
void compile_ahead(Flight& flight, Executor& executor, const std::vector<std::vector<Trial>>& cells,
                   std::mutex& turn_of_all, SweepClock& clock, const std::atomic<bool>& is_over) {
    if (cells.empty()) return;
    const std::unique_ptr<Executor> compiler = executor.make_compiler();
    try {
        for (const std::vector<Trial>& trials : cells) {
            if (is_over) return;
            PrepareProgress compiled;
            const auto report = [&](const PrepareProgress& now) {
                compiled = now;
                if (now.done == now.total) flight.queue.kernels_are_ready();
            };
            flight.compilation.prepare(*compiler, trials, report, is_over);
            const std::lock_guard has_turn(turn_of_all);
            clock.count_compiled(compiled);
        }
    } catch (const Error&) {
        return;
    }
}

}  // namespace

std::size_t most_cells_in_flight(std::size_t gpus) {
    return std::clamp<std::size_t>(most_on_all_gpus / std::max<std::size_t>(gpus, 1), least_on_a_gpu, most_on_a_gpu);
}

std::vector<std::size_t> spread_order(std::size_t count, std::size_t in_flight) {
    const std::size_t stride = std::max<std::size_t>(1, (count + in_flight - 1) / in_flight);
    std::vector<std::size_t> order;
    for (std::size_t first = 0; first < stride; ++first) {
        for (std::size_t i = first; i < count; i += stride) order.push_back(i);
    }
    return order;
}

void run_in_flight(std::size_t count, Executor& executor, std::unique_lock<std::mutex>& turn, SweepClock& clock,
                   SharedCompilation& compilation, const std::vector<std::vector<Trial>>& ahead,
                   const SweepContext& context, const std::function<void(const SweepContext&)>& run_cells) {
    Flight flight(count, compilation, context);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) {
        threads.emplace_back([&] { search_cells(flight, executor, *turn.mutex(), clock, context, run_cells); });
    }
    std::atomic<bool> is_over = false;
    threads.emplace_back([&] { compile_ahead(flight, executor, ahead, *turn.mutex(), clock, is_over); });
    turn.unlock();
    try {
        executor.warm_up();  // while the first kernels are compiled
    } catch (const Error&) {
        // The first request will fail for the same reason.
    }
    const timing::TimeSpent waited = flight.queue.serve();
    is_over = true;
    for (std::thread& thread : threads) thread.join();
    if (flight.data_in_use.name != context.data.front().name) executor.use_data(context.data.front());
    turn.lock();
    clock.add_spent(waited);
    if (flight.failure != nullptr) std::rethrow_exception(flight.failure);
    if (flight.is_stopped) throw Stopped();
}

}  // namespace redtune::search
