#include "bulk_copies.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "access_check.h"
#include "happens_before.h"
#include "scheduler.h"
#include "source_lines.h"

namespace emulator {

namespace {

constexpr std::size_t word_bytes = 8;

// The thread index in the id of an asynchronous store. A bulk copy has thread index 0.
constexpr std::uint32_t store_index = 1;

CopyBarrier& find_barrier(std::uintptr_t address, const char* what, std::uint32_t site) {
    const auto at = launch.copy_barriers.find(address);
    if (at == launch.copy_barriers.end()) {
        report_fatal("uninitialised barrier " + source_lines({site})[0],
                     std::string(what) + ": " + name_of(current.thread->id) +
                         " uses a barrier that is not initialised (" + source_lines({site})[0] + ")");
    }
    return at->second;
}

// Returns the state of the mbarrier at `word`, and checks the access to the word. The access counts as atomic; only the
// initialisation of an mbarrier does not.
CopyBarrier& barrier_at(const void* word, std::uint32_t site) {
    const auto address = reinterpret_cast<std::uintptr_t>(word);
    check_access({address, word_bytes, false, true, site});
    return find_barrier(address, "bulk copy", site);
}

std::uint32_t new_transfer(std::uint32_t index) {
    return thread_id(launch.shape.grid + launch.transfers_started++, index);
}

void complete_if_done(CopyBarrier& barrier) {
    if (barrier.missing_arrivals != 0 || barrier.missing_bytes != 0) return;
    barrier.completed = barrier.arriving.finish();
    barrier.arriving = ClockJoin();
    barrier.arriving.add(barrier.completed);
    barrier.missing_arrivals = barrier.arrivals;
    ++barrier.phase;
    for (Thread* thread : barrier.waiting) wake(*thread);
    barrier.waiting.clear();
}

}  // namespace

void init_copy_barrier(void* word, unsigned arrivals) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    const auto address = reinterpret_cast<std::uintptr_t>(word);
    check_access({address, word_bytes, true, false, site});
    CopyBarrier& barrier = launch.copy_barriers[address] = CopyBarrier();
    barrier.arrivals = arrivals;
    barrier.missing_arrivals = arrivals;
}

void arrive_at_copy_barrier(void* word, unsigned expected_bytes) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    preemption_point();
    CopyBarrier& barrier = barrier_at(word, site);
    barrier.missing_bytes += expected_bytes;
    --barrier.missing_arrivals;
    barrier.arriving.add(release(*current.thread));
    note_progress();
    complete_if_done(barrier);
}

void wait_at_copy_barrier(void* word, unsigned parity, std::source_location where) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    CopyBarrier& barrier = barrier_at(word, site);
    preemption_point();
    Thread& thread = *current.thread;
    while ((barrier.phase & 1u) == (parity & 1u)) {
        barrier.waiting.push_back(&thread);
        wait(ThreadState::at_copy_barrier, "wait_barrier()", where);
    }
    thread.order.known = join(thread.order.known, barrier.completed);
}

void start_bulk_copy(void* shared, const void* global, unsigned bytes, void* word) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    Thread& thread = *current.thread;
    const auto to = reinterpret_cast<std::uintptr_t>(shared);
    const auto from = reinterpret_cast<std::uintptr_t>(global);
    if (to % 16 != 0 || from % 16 != 0 || bytes % 16 != 0 || bytes == 0) {
        const std::string line = source_lines({site})[0];
        report_fatal("misaligned " + line, "bulk copy: " + name_of(thread.id) + " copies " + std::to_string(bytes) +
                                               " bytes from " + describe_address(from, bytes) + " to " +
                                               describe_address(to, bytes) + " (" + line +
                                               "): both addresses and the size have to be multiples of 16");
    }
    barrier_at(word, site);
    const std::uint32_t id = new_transfer(0);
    check_transfer_source(id, {from, bytes, false, false, site});
    check_transfer_target(*thread.block, id, {to, bytes, true, false, site});
    const auto barrier = reinterpret_cast<std::uintptr_t>(word);
    launch.transfers.push_back({id, thread.block->index, to, from, 0, bytes, barrier, site});
    preemption_point();
}

bool is_transfer(std::uint32_t thread) {
    return block_of(thread) >= launch.shape.grid;
}

bool is_async_store(std::uint32_t thread) {
    return is_transfer(thread) && index_of(thread) == store_index;
}

void start_async_store(Block& owner, std::uintptr_t to, std::size_t bytes, unsigned long long value,
                       std::uintptr_t barrier, std::uint32_t site) {
    check_arena_access(owner, {barrier, word_bytes, false, true, site});
    find_barrier(barrier, "asynchronous store", site);
    const std::uint32_t id = new_transfer(store_index);
    check_transfer_target(owner, id, {to, bytes, true, false, site});
    owner.remote_accesses.push_back({id, launch.first_epoch, 1, site});
    launch.transfers.push_back({id, owner.index, to, 0, value, std::uint32_t(bytes), barrier, site});
}

void deliver_transfer() {
    const std::uint32_t which = launch.random.below(std::uint32_t(launch.transfers.size()));
    const Transfer transfer = launch.transfers[which];
    launch.transfers.erase(launch.transfers.begin() + which);
    const void* from = is_async_store(transfer.id) ? &transfer.value : reinterpret_cast<const void*>(transfer.from);
    std::memcpy(reinterpret_cast<void*>(transfer.to), from, transfer.bytes);
    mark_written(*launch.blocks[transfer.block], transfer.to, transfer.bytes);
    CopyBarrier& barrier = launch.copy_barriers[transfer.barrier];
    barrier.missing_bytes -= transfer.bytes;
    ClockJoin arrival;
    arrival.add_thread(transfer.id, 2);  // covers both accesses of the transfer, whose clock is 1
    barrier.arriving.add(arrival.finish());
    complete_if_done(barrier);
}

void check_transfers_at_end(const Block& block) {
    for (const Transfer& transfer : launch.transfers) {
        if (transfer.block != block.index) continue;
        const bool store = is_async_store(transfer.id);
        const std::string line = source_lines({transfer.site})[0];
        report_fatal("transfer at end " + line, std::string(store ? "asynchronous store" : "bulk copy") + ": block " +
                                                    std::to_string(block.index) + " ended before a " +
                                                    (store ? "store" : "copy") + " into its shared memory arrived (" +
                                                    line + ")");
        return;
    }
}

std::string describe_copy_barriers() {
    std::map<std::uint32_t, std::string> by_block;
    for (const auto& [address, barrier] : launch.copy_barriers) {
        if (barrier.waiting.empty()) continue;
        const std::uint32_t block = barrier.waiting[0]->block->index;
        by_block[block] += "; the barrier of block " + std::to_string(block) + " misses " +
                           std::to_string(barrier.missing_arrivals) + " arrivals and ";
        by_block[block] += barrier.missing_bytes >= 0
                               ? std::to_string(barrier.missing_bytes) + " bytes"
                               : "no bytes: it got " + std::to_string(-barrier.missing_bytes) + " more than expected";
    }
    std::string text;
    for (const auto& [block, description] : by_block) text += description;
    return text;
}

}  // namespace emulator
