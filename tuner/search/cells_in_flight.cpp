#include "tuner/search/cells_in_flight.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tuner/search/queued_executor.h"
#include "tuner/search/request_queue.h"
#include "tuner/search/turn_taking_executor.h"

namespace redtune::search {

namespace {

constexpr std::size_t most_on_the_only_gpu = 8;
constexpr std::size_t most_on_one_of_several = 6;
/// The kernels of an exhaustive search are compiled before they are asked for. The fewer cells a GPU has in flight, the
/// shorter the others wait for its last ones.
constexpr std::size_t most_exhaustive_on_one_of_several = 3;
constexpr std::size_t least_on_one_of_several = 2;
constexpr std::size_t most_on_all_gpus = 16;
/// Each takes about 100 MiB of memory. So many compile faster than a GPU needs kernels.
constexpr std::size_t most_compilers_of_a_gpu = 16;

/// The objects that the threads of run_in_flight() share. A thread that has the turn may use `is_stopped` and
/// `failure`.
struct Flight {
    Flight(std::size_t cells, CompileQueue& compile_queue_of_all, const SweepContext& context)
        : queue(cells), compile_queue(compile_queue_of_all), data_in_use(context.request.data.front()) {}

    RequestQueue queue;
    CompileQueue& compile_queue;
    timing::Data data_in_use;           ///< used by the thread that measures only
    bool is_stopped = false;            ///< a thread was stopped: the sweep is over, or another thread failed
    std::exception_ptr failure;         ///< the first other exception of a thread
    std::atomic<bool> is_over = false;  ///< no thread of this unit waits for kernels any more
};

/// The work of a thread that searches cells.
void search_cells(Flight& flight, Executor& executor, std::mutex& turn_of_all, SweepClock& clock,
                  const SweepContext& context, const std::function<void(const SweepContext&)>& run_cells) {
    QueuedExecutor queued(executor, flight.queue, flight.compile_queue, flight.data_in_use,
                          context.request.data.front());
    {
        std::unique_lock turn(turn_of_all);
        TurnTakingExecutor turn_taking(queued, turn, clock);
        Division::Member member(context.division, turn,
                                [&flight] { return flight.is_stopped || flight.failure != nullptr; });
        try {
            run_cells({turn_taking, context.request, context.history, context.record, context.progress, context.stop,
                       member, context.budget, context.unit, context.compiles_as_needed, context.passed});
        } catch (const Stopped&) {
            flight.is_stopped = true;
        } catch (...) {
            if (flight.failure == nullptr) flight.failure = std::current_exception();
        }
    }
    flight.queue.leave();
}

/// The work of a thread that compiles.
void compile_kernels(Flight& flight, std::unique_ptr<CompileQueue::Compiler> compiler,
                     const CompileQueue::NextAhead& ahead, std::mutex& turn_of_all, SweepClock& clock) {
    const auto compiled = [&](const PrepareProgress& progress) {
        if (progress.done == 0) return;
        flight.queue.first_kernel_is_ready();
        flight.queue.kernels_are_ready();
        const std::lock_guard has_turn(turn_of_all);
        clock.first_kernel_is_ready();
        clock.count_compiled(progress);
    };
    compiler->run(ahead, compiled, flight.is_over);
}

/// Returns a function that returns the trials of some cells, one after another.
CompileQueue::NextAhead one_by_one(const std::vector<std::vector<Trial>>& cells) {
    return [&cells, cell = std::size_t{0}, trial = std::size_t{0}]() mutable -> const Trial* {
        while (cell < cells.size() && trial == cells[cell].size()) {
            ++cell;
            trial = 0;
        }
        return cell == cells.size() ? nullptr : &cells[cell][trial++];
    };
}

}  // namespace

std::size_t most_cells_in_flight(Effort effort, std::size_t gpus) {
    if (gpus <= 1) return most_on_the_only_gpu;
    const std::size_t most = effort == Effort::exhaustive ? most_exhaustive_on_one_of_several : most_on_one_of_several;
    return std::clamp<std::size_t>(most_on_all_gpus / gpus, least_on_one_of_several, most);
}

std::size_t compilers_of_a_gpu(std::size_t most_compilers, std::size_t gpus) {
    return std::clamp<std::size_t>(most_compilers / std::max<std::size_t>(gpus, 1), 1, most_compilers_of_a_gpu);
}

std::vector<std::size_t> spread_order(std::size_t count, std::size_t in_flight) {
    const std::size_t stride = std::max<std::size_t>(1, (count + in_flight - 1) / in_flight);
    std::vector<std::size_t> order;
    for (std::size_t i = count; i-- > 0;) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return i % stride; });
    return order;
}

void run_in_flight(const FlightPlan& plan, Executor& executor, std::unique_lock<std::mutex>& turn, SweepClock& clock,
                   CompileQueue& compile_queue, const SweepContext& context,
                   const std::function<void(const SweepContext&)>& run_cells) {
    Flight flight(plan.cells, compile_queue, context);
    const CompileQueue::NextAhead ahead = one_by_one(plan.ahead);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < plan.compilers; ++i) {
        // Made before the first thread waits for kernels, and owned by its thread.
        auto compiler = std::make_unique<CompileQueue::Compiler>(compile_queue, executor.make_compiler());
        threads.emplace_back([&, compiler = std::move(compiler)]() mutable {
            compile_kernels(flight, std::move(compiler), ahead, *turn.mutex(), clock);
        });
    }
    for (std::size_t i = 0; i < plan.cells; ++i) {
        threads.emplace_back([&] { search_cells(flight, executor, *turn.mutex(), clock, context, run_cells); });
    }
    turn.unlock();
    try {
        executor.warm_up();  // while the first kernels are compiled
    } catch (const Error&) {
        // The first request will fail for the same reason.
    }
    const timing::TimeSpent waited = flight.queue.serve();
    flight.is_over = true;
    compile_queue.wake();
    for (std::thread& thread : threads) thread.join();
    if (flight.data_in_use.name != context.request.data.front().name) executor.use_data(context.request.data.front());
    turn.lock();
    clock.add_spent(waited);
    if (flight.failure != nullptr) std::rethrow_exception(flight.failure);
    if (flight.is_stopped) throw Stopped();
}

}  // namespace redtune::search
