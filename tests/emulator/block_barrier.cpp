#include "happens_before.h"
#include "scheduler.h"
#include "source_lines.h"

namespace emulator {

namespace {

const char* barrier_name(BlockBarrier kind) {
    switch (kind) {
        case BlockBarrier::any:
            return "__syncthreads_or()";
        case BlockBarrier::all:
            return "__syncthreads_and()";
        case BlockBarrier::count:
            return "__syncthreads_count()";
        default:
            return "__syncthreads()";
    }
}

// Reports threads that have arrived at different statements, which CUDA forbids. The last thread to arrive calls it.
void check_same_statement(const Block& block) {
    const Thread& self = *current.thread;
    for (std::uint32_t i = 0; i < launch.shape.block; ++i) {
        const Thread& thread = block.threads[i];
        if (&thread == &self || same_line(thread.where, self.where)) continue;
        report_fatal("barrier places " + source_line(self.where) + source_line(thread.where),
                     "block " + std::to_string(block.index) + ": threads wait at different barriers: thread " +
                         std::to_string(self.index) + " at " + self.collective + " (" + source_line(self.where) +
                         "), thread " + std::to_string(thread.index) + " at " + thread.collective + " (" +
                         source_line(thread.where) + ")");
    }
}

unsigned barrier_result(BlockBarrier kind, std::uint32_t votes) {
    switch (kind) {
        case BlockBarrier::any:
            return votes > 0;
        case BlockBarrier::all:
            return votes == launch.shape.block;
        default:
            return votes;
    }
}

}  // namespace

unsigned block_barrier(BlockBarrier kind, bool predicate, std::source_location where) {
    const RuntimeScope scope;
    Thread& self = *current.thread;
    Block& block = *self.block;
    block.barrier_votes += predicate;
    if (++block.barrier_arrived < launch.shape.block) {
        wait(ThreadState::at_block_barrier, barrier_name(kind), where);
        return unsigned(self.result);
    }
    self.where = where;
    self.collective = barrier_name(kind);
    check_same_statement(block);
    const unsigned result = barrier_result(kind, block.barrier_votes);
    for (std::uint32_t i = 0; i < launch.shape.block; ++i) block.threads[i].result = result;
    block.barrier_arrived = 0;
    block.barrier_votes = 0;
    order_block(block);
    wake_all(block);
    preemption_point();
    return result;
}

}  // namespace emulator
