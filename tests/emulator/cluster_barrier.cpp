// The cluster barrier (barrier.cluster). It does not order a thread's accesses between its arrival and its wait.
#include "deadlocks.h"
#include "happens_before.h"
#include "scheduler.h"
#include "source_lines.h"
#include "thread_exit.h"

namespace emulator {

namespace {

std::uint32_t cluster_of(const Thread& thread) {
    return thread.block->index / launch.shape.cluster;
}

template <class F>
void for_each_live_thread(std::uint32_t cluster, F f) {
    const std::uint32_t first = cluster * launch.shape.cluster;
    for (std::uint32_t b = first; b < first + launch.shape.cluster; ++b) {
        for (std::uint32_t i = 0; i < launch.shape.block; ++i) {
            Thread& thread = launch.blocks[b]->threads[i];
            if (thread.state != ThreadState::exited) f(thread);
        }
    }
}

[[gnu::cold]] void report_misuse(const Thread& thread, const std::string& what, std::source_location where) {
    report_fatal("cluster barrier " + source_line(where),
                 "cluster barrier: " + name_of(thread.id) + " " + what + " (" + source_line(where) + ")");
}

// Reports lanes of a warp that have arrived at different statements: the instruction is the .aligned variant, which all
// lanes of a warp must execute together.
void check_same_statement(std::uint32_t cluster) {
    const Thread* previous = nullptr;
    for_each_live_thread(cluster, [&](const Thread& thread) {
        const bool same_warp = previous != nullptr && previous->id / 32 == thread.id / 32;
        if (same_warp && !same_line(previous->arrived_where, thread.arrived_where)) {
            report_misuse(thread,
                          "arrives elsewhere than thread " + std::to_string(previous->index) + " of its warp (" +
                              source_line(previous->arrived_where) + "), but a warp has to arrive as one",
                          thread.arrived_where);
        }
        previous = &thread;
    });
}

// Completes the phase if no thread is missing. An exited thread counts as arrived, but that does not order its
// accesses.
void complete_if_done(std::uint32_t cluster) {
    ClusterBarrier& barrier = launch.cluster_barriers[cluster];
    if (barrier.missing > 0) return;
    check_same_statement(cluster);
    for_each_live_thread(cluster, [&](const Thread&) { ++barrier.missing; });
    ++barrier.phase;
    barrier.arriving.known().add_phases(cluster, barrier.phase);
    barrier.completed = barrier.arriving.finish();
    barrier.arriving = OrderJoin();
    for (Thread* thread : barrier.waiting) wake(*thread);
    barrier.waiting.clear();
}

}  // namespace

void cluster_arrive(std::source_location where) {
    const RuntimeScope scope;
    Thread& thread = *current.thread;
    if (thread.arrived_at_cluster) {
        report_misuse(thread,
                      "arrives again without cluster_wait() since it arrived at " + source_line(thread.arrived_where),
                      where);
    }
    thread.arrived_at_cluster = true;
    thread.arrived_where = where;
    launch.arrival_clocks[thread.id].push_back(++thread.clock);
    ClusterBarrier& barrier = launch.cluster_barriers[cluster_of(thread)];
    barrier.arriving.add(thread.order);
    add_own_block(barrier.arriving.known(), thread);
    --barrier.missing;
    note_progress();
    complete_if_done(cluster_of(thread));
    preemption_point();
}

void cluster_wait(const char* name, std::source_location where) {
    const RuntimeScope scope;
    Thread& thread = *current.thread;
    if (!thread.arrived_at_cluster) report_misuse(thread, "waits without having arrived", where);
    ClusterBarrier& barrier = launch.cluster_barriers[cluster_of(thread)];
    // A later phase cannot have completed, because each phase needs this thread's arrival.
    if (barrier.phase < launch.arrival_clocks[thread.id].size()) {
        barrier.waiting.push_back(&thread);
        wait(ThreadState::at_cluster_barrier, name, where);
    }
    thread.arrived_at_cluster = false;
    for (const auto member : Order::members) {
        thread.order.*member = join(thread.order.*member, barrier.completed.*member);
    }
    preemption_point();
}

void leave_cluster(Thread& thread) {
    const std::uint32_t cluster = cluster_of(thread);
    ClusterBarrier& barrier = launch.cluster_barriers[cluster];
    const auto arrivals = launch.arrival_clocks.find(thread.id);
    const bool arrived = arrivals != launch.arrival_clocks.end() && arrivals->second.size() > barrier.phase;
    if (arrived) return;
    --barrier.missing;
    complete_if_done(cluster);
}

}  // namespace emulator
