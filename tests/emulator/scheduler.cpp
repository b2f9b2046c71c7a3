#include "scheduler.h"

#include <algorithm>

#include "bulk_copies.h"
#include "deadlocks.h"
#include "remote_memory.h"
#include "thread_exit.h"

namespace emulator {

namespace {

// Each policy makes different orders of execution likely. A defect that depends on the order may show with only some of
// the policies.
enum class BlockPolicy { uniform, sticky, first_block_first, first_block_last };
enum class ThreadPolicy { random, ascending, descending };

constexpr std::uint32_t polls_until_uniform = 64;
constexpr std::uint64_t most_switches = std::uint64_t(1) << 26;

boost::context::fiber scheduler_fiber;
BlockPolicy block_policy;
ThreadPolicy thread_policy;

std::vector<std::unique_ptr<Block>>& free_blocks() {
    // The list is never destroyed, because the pool of stacks is not destroyed either.
    static auto& blocks = *new std::vector<std::unique_ptr<Block>>;
    return blocks;
}

/// Returns a block for this number of threads. A free block of another size gives the stacks that it does not need back
/// to their pool: if every block kept as many as it ever needed, many small blocks and a few large ones would need more
/// than the system has mappings for. It keeps its shared memory, whose shadow takes long to make.
Block& take_block(std::uint32_t threads) {
    std::vector<std::unique_ptr<Block>>& blocks = free_blocks();
    if (blocks.empty()) blocks.push_back(std::make_unique<Block>());
    const auto found = std::find_if(blocks.rbegin(), blocks.rend(),
                                    [&](const auto& block) { return block->threads.size() == threads; });
    if (found != blocks.rend()) std::swap(*found, blocks.back());
    Block& block = *blocks.back().release();
    blocks.pop_back();
    while (block.threads.size() > threads) block.threads.pop_back();
    while (block.threads.size() < threads) block.threads.emplace_back();
    return block;
}

void make_runnable(Thread& thread) {
    Block& block = *thread.block;
    thread.state = ThreadState::runnable;
    thread.runnable_at = std::uint32_t(block.runnable.size());
    block.runnable.push_back(&thread);
}

void swap_runnable(Block& block, std::uint32_t a, std::uint32_t b) {
    std::swap(block.runnable[a], block.runnable[b]);
    block.runnable[a]->runnable_at = a;
    block.runnable[b]->runnable_at = b;
}

void remove_from_runnable(Thread& thread) {
    Block& block = *thread.block;
    swap_runnable(block, thread.runnable_at, std::uint32_t(block.runnable.size() - 1));
    block.runnable.pop_back();
}

void switch_to_scheduler() {
    scheduler_fiber = std::move(scheduler_fiber).resume();
}

// ---- blocks ----

void start_thread(Block& block, std::uint32_t index) {
    Thread& thread = block.threads[index];
    thread.block = &block;
    thread.index = index;
    thread.id = thread_id(block.index, index);
    thread.poll_site = 0;
    thread.collective = "";
    thread.last_read = 0;
    thread.repeated_reads = 0;
    thread.reads_since_switch = 0;
    thread.arrived_at_cluster = false;
    thread.clock = 1;
    thread.warp_clocks_epoch = 0;
    make_runnable(thread);
    thread.fiber.start(thread.stack, index, [&thread](boost::context::fiber&& scheduler) {
        scheduler_fiber = std::move(scheduler);
        (*launch.body)();
        remove_from_runnable(thread);
        thread.state = ThreadState::exited;
        --thread.block->live;
        note_progress();
        leave_warp(thread);
        leave_cluster(thread);
        note_exit(thread);
        return std::move(scheduler_fiber);
    });
}

void start_block(std::uint32_t index) {
    const std::uint32_t threads = launch.shape.block;
    Block& block = take_block(threads);
    block.index = index;
    block.live = threads;
    block.external_waits = 0;
    block.epoch = launch.first_epoch;
    block.barrier_arrived = 0;
    block.barrier_votes = 0;
    block.runnable.clear();
    block.warps.resize((threads + 31) / 32);
    for (std::uint32_t w = 0; w < block.warps.size(); ++w) {
        const std::uint32_t lanes = std::min(32u, threads - w * 32);
        block.warps[w].present = lanes == 32 ? ~0u : (1u << lanes) - 1;
        block.warps[w].exited = 0;
        block.warps[w].open.clear();
    }
    // Unless the thread policy is random, choose_thread() takes the last thread in `runnable` first.
    for (std::uint32_t i = 0; i < threads; ++i) {
        start_thread(block, thread_policy == ThreadPolicy::ascending ? threads - 1 - i : i);
    }
    launch.blocks[index] = &block;
    launch.in_flight.push_back(&block);
}

void retire_block(Block& block) {
    for (std::uint32_t i = 0; i < launch.shape.block; ++i) {
        if (!block.threads[i].order.empty()) block.threads[i].order = {};
    }
    block.remote_accesses.clear();
    block.known_at_exit = nullptr;
    const std::uintptr_t begin = block.arena->begin();
    const std::uint32_t used = launch.layout.used();
    const auto in_arena = [&](const auto& entry) { return entry.first - begin < used; };
    if (!launch.atomics.empty()) std::erase_if(launch.atomics, in_arena);
    if (!launch.copy_barriers.empty()) std::erase_if(launch.copy_barriers, in_arena);
    block.arena->reset(used);
    launch.blocks[block.index] = nullptr;
    free_blocks().emplace_back(&block);
}

// The blocks of a cluster keep their shared memory until the last of them has ended.
void end_block(Block& block) {
    launch.ended[block.index] = true;
    std::erase(launch.in_flight, &block);
    check_transfers_at_end(block);
    check_remote_accesses_at_end(block);
    const std::uint32_t first = block.index / launch.shape.cluster * launch.shape.cluster;
    for (std::uint32_t i = 0; i < launch.shape.cluster; ++i) {
        if (!launch.ended[first + i]) return;
    }
    for (std::uint32_t i = 0; i < launch.shape.cluster; ++i) retire_block(*launch.blocks[first + i]);
}

// ---- the choice of the next block and thread ----

Block* any_runnable_block(const Block* except = nullptr) {
    const auto count = std::uint32_t(launch.in_flight.size());
    const std::uint32_t first = launch.random.below(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        Block* block = launch.in_flight[(first + i) % count];
        if (block != except && !block->runnable.empty()) return block;
    }
    return nullptr;
}

Block* choose_block(const Block* latest) {
    if (launch.stalled > polls_until_uniform || block_policy == BlockPolicy::uniform) return any_runnable_block();
    if (block_policy == BlockPolicy::sticky) {
        for (Block* block : launch.in_flight) {
            if (block == latest && !block->runnable.empty()) return block;
        }
        return any_runnable_block();
    }
    Block* first_block = launch.blocks[0];
    const bool runs = first_block != nullptr && !first_block->runnable.empty();
    if (block_policy == BlockPolicy::first_block_first) return runs ? first_block : any_runnable_block();
    Block* other = any_runnable_block(first_block);
    return other != nullptr || !runs ? other : first_block;
}

Thread& choose_thread(const Block& block) {
    if (thread_policy == ThreadPolicy::random || launch.stalled > polls_until_uniform) {
        return *block.runnable[launch.random.below(std::uint32_t(block.runnable.size()))];
    }
    return *block.runnable.back();
}

std::vector<std::uint32_t> order_of_clusters() {
    std::vector<std::uint32_t> clusters(launch.shape.grid / launch.shape.cluster);
    for (std::uint32_t i = 0; i < clusters.size(); ++i) clusters[i] = i;
    if (launch.random.one_in(2)) {
        for (auto i = std::uint32_t(clusters.size()); i > 1; --i) {
            std::swap(clusters[i - 1], clusters[launch.random.below(i)]);
        }
    }
    std::reverse(clusters.begin(), clusters.end());  // run_blocks() starts the last cluster of this list first
    return clusters;
}

void resume(Thread& thread) {
    thread.reads_since_switch = 0;
    current = {false, thread.stack.begin(), &thread};
    thread.fiber.resume();
    current = {false, 0, nullptr};
}

}  // namespace

void run_blocks(unsigned blocks_in_flight) {
    block_policy = BlockPolicy(launch.random.below(4));
    thread_policy = ThreadPolicy(launch.random.below(3));
    std::vector<std::uint32_t> clusters = order_of_clusters();
    const Block* latest = nullptr;
    for (std::uint64_t switches = 0; !launch.abandoned; ++switches) {
        while (!clusters.empty() &&
               (launch.in_flight.empty() || launch.in_flight.size() + launch.shape.cluster <= blocks_in_flight)) {
            for (std::uint32_t i = 0; i < launch.shape.cluster; ++i) {
                start_block(clusters.back() * launch.shape.cluster + i);
            }
            clusters.pop_back();
        }
        if (launch.in_flight.empty()) break;
        if (!launch.transfers.empty() && launch.random.one_in(32)) deliver_transfer();
        Block* block = choose_block(latest);
        if (block == nullptr) {
            if (launch.transfers.empty()) {
                report_deadlock(launch.in_flight);
            } else {
                deliver_transfer();
            }
            continue;
        }
        latest = block;
        resume(choose_thread(*block));
        if (launch.abandoned) break;
        if (block->live == 0) {
            end_block(*block);
        } else if (block->runnable.empty() && block->external_waits == 0) {
            report_deadlock({block});
        }
        if (switches > most_switches) report_no_progress();
    }
    for (Block* block : launch.blocks) {
        if (block != nullptr) retire_block(*block);
    }
    launch.in_flight.clear();
}

void wait(ThreadState state, const char* collective, std::source_location where) {
    Thread& thread = *current.thread;
    remove_from_runnable(thread);
    thread.state = state;
    thread.collective = collective;
    thread.where = where;
    const bool external = state == ThreadState::at_cluster_barrier || state == ThreadState::at_copy_barrier;
    thread.block->external_waits += external;
    switch_to_scheduler();
    thread.block->external_waits -= external;
}

// Waking a thread does not count as progress, because polling threads may wake each other between two polls.
void wake(Thread& thread) {
    make_runnable(thread);
}

void wake_all(Block& block) {
    const bool ascending = thread_policy == ThreadPolicy::ascending;
    for (std::uint32_t i = 0; i < launch.shape.block; ++i) {
        Thread& thread = block.threads[ascending ? launch.shape.block - 1 - i : i];
        if (&thread != current.thread) wake(thread);
    }
}

void preemption_point() {
    if (launch.random.one_in(2)) return;
    Block& block = *current.thread->block;
    // The last thread in `runnable` runs first, so this moves the current thread to a random position.
    swap_runnable(block, current.thread->runnable_at, launch.random.below(std::uint32_t(block.runnable.size())));
    switch_to_scheduler();
}

void poll_point(std::uint32_t site) {
    Thread& thread = *current.thread;
    thread.poll_site = site;
    std::uint32_t threads = 0;
    for (const Block* block : launch.in_flight) threads += block->live;
    if (++launch.stalled > 1000 + 40 * threads) report_no_progress();
    Block& block = *thread.block;
    swap_runnable(block, thread.runnable_at, launch.random.below(std::uint32_t(block.runnable.size())));
    switch_to_scheduler();
}

void abandon() {
    launch.abandoned = true;
    if (current.thread != nullptr) switch_to_scheduler();
}

}  // namespace emulator
