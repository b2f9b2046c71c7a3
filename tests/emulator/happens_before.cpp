#include "happens_before.h"

#include <algorithm>

#include "scheduler.h"

namespace emulator {

namespace {

// Returns whether phases of a cluster barrier that `known` covers order an access of `thread` with this clock: the
// thread must have arrived at such a phase after the access. A thread that exits arrives at no later phases.
bool is_before_arrival(const VectorClock& known, std::uint32_t thread, std::uint32_t clock) {
    const std::uint32_t phases = known.phases_of(block_of(thread) / launch.shape.cluster);
    if (phases == 0) return false;
    const auto at = launch.arrival_clocks.find(thread);
    if (at == launch.arrival_clocks.end()) return false;
    const std::vector<std::uint32_t>& clocks = at->second;
    return clock < clocks[std::min(std::size_t(phases), clocks.size()) - 1];
}

}  // namespace

bool knows(const ClockPtr& known, std::uint32_t thread, std::uint32_t epoch, std::uint32_t clock) {
    return known && (known->covers(block_of(thread), epoch, thread, clock) || is_before_arrival(*known, thread, clock));
}

bool ordered(const Thread& thread, const AccessRecord& access) {
    if (access.epoch < launch.first_epoch || access.thread == thread.id) return true;
    const std::uint32_t block = block_of(access.thread);
    if (block == thread.block->index) {
        if (access.epoch < thread.block->epoch) return true;
        const std::uint32_t index = index_of(access.thread);
        if (index / 32 == thread.index / 32 && thread.warp_clocks_epoch == thread.block->epoch &&
            thread.warp_clocks[index % 32] > access.clock) {
            return true;
        }
    }
    return knows(thread.order.known, access.thread, access.epoch, access.clock);
}

void order_block(Block& block) {
    launch.last_epoch = std::max(launch.last_epoch, ++block.epoch);
    bool any = false;
    for (std::uint32_t i = 0; i < launch.shape.block; ++i) any = any || !block.threads[i].order.empty();
    if (!any) return;
    OrderJoin join;
    for (std::uint32_t i = 0; i < launch.shape.block; ++i) join.add(block.threads[i].order);
    const Order order = join.finish();
    for (std::uint32_t i = 0; i < launch.shape.block; ++i) block.threads[i].order = order;
}

void order_warp(Block& block, std::uint32_t warp, std::uint32_t mask) {
    std::array<std::uint32_t, 32> clocks{};
    OrderJoin join;
    const auto for_each = [&](auto f) {
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            if (mask >> lane & 1u) f(block.threads[warp * 32 + lane], lane);
        }
    };
    for_each([&](Thread& thread, std::uint32_t lane) {
        if (thread.warp_clocks_epoch == block.epoch) {
            for (std::uint32_t i = 0; i < 32; ++i) clocks[i] = std::max(clocks[i], thread.warp_clocks[i]);
        }
        clocks[lane] = ++thread.clock;
        join.add(thread.order);
    });
    const Order order = join.finish();
    for_each([&](Thread& thread, std::uint32_t) {
        thread.warp_clocks = clocks;
        thread.warp_clocks_epoch = block.epoch;
        if (!order.empty()) thread.order = order;
    });
}

void add_own_block(ClockJoin& join, const Thread& thread) {
    const Block& block = *thread.block;
    join.add_block(block.index, block.epoch);
    if (thread.warp_clocks_epoch != block.epoch) return;
    const std::uint32_t first = thread.id - thread.lane();
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (thread.warp_clocks[lane] > 0) join.add_thread(first + lane, thread.warp_clocks[lane]);
    }
}

ClockPtr release(Thread& thread) {
    ClockJoin join;
    join.add(thread.order.known);
    join.add_thread(thread.id, ++thread.clock);
    add_own_block(join, thread);
    return join.finish();
}

void fence(FenceScope scope) {
    const RuntimeScope runtime;
    preemption_point();
    Order& order = current.thread->order;
    order.known = join(order.known, order.seen_in_block);
    if (scope == FenceScope::gpu) order.known = join(order.known, order.seen);
    order.released_in_block = release(*current.thread);
    if (scope == FenceScope::gpu) order.released = order.released_in_block;
    preemption_point();
}

void read_atomic(Thread& thread, std::uintptr_t address, AtomicOrder order) {
    const auto at = launch.atomics.find(address);
    if (at == launch.atomics.end()) return;
    const AtomicWord& word = at->second;
    const bool own_block = word.block == thread.block->index;
    thread.order.seen = join(thread.order.seen, word.released);
    if (own_block) thread.order.seen_in_block = join(thread.order.seen_in_block, word.released_in_block);
    if (order == AtomicOrder::acquire) thread.order.known = join(thread.order.known, word.released);
}

void write_atomic(Thread& thread, std::uintptr_t address, AtomicOrder order, bool is_update) {
    Order& mine = thread.order;
    ClockPtr released = mine.released;
    ClockPtr in_block = mine.released_in_block;
    if (order == AtomicOrder::release) {
        // Only this write releases: a later relaxed write of this thread does not publish its accesses.
        released = release(thread);
        in_block = released;
    }
    const auto at = launch.atomics.find(address);
    if (at == launch.atomics.end()) {
        if (released || in_block) launch.atomics[address] = {released, in_block, thread.block->index};
        return;
    }
    AtomicWord& word = at->second;
    // A read-modify-write continues the release sequence of the word; a store starts a new one.
    word.released = is_update ? join(word.released, released) : released;
    const bool same_block = word.block == thread.block->index;
    word.released_in_block = is_update && same_block ? join(word.released_in_block, in_block) : in_block;
    word.block = thread.block->index;
}

}  // namespace emulator
