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

// The barrier's word is accessed atomically by all but its initialisation.
CopyBarrier& barrier_at(const void* word, std::uint32_t site) {
    const auto address = reinterpret_cast<std::uintptr_t>(word);
    check_access({address, word_bytes, false, true, site});
    const auto at = launch.copy_barriers.find(address);
    if (at == launch.copy_barriers.end()) {
        report_fatal("uninitialised barrier " + source_lines({site})[0],
                     "bulk copy: " + name_of(current.thread->id) + " uses a barrier that is not initialised (" +
                         source_lines({site})[0] + ")");
    }
    return at->second;
}

void complete_if_done(CopyBarrier& barrier) {
    if (barrier.missing_arrivals != 0 || barrier.missing_bytes != 0) return;
    barrier.completed = barrier.arriving.finish();
    barrier.arriving = KnowledgeJoin();
    barrier.arriving.add(barrier.completed);
    barrier.missing_arrivals = barrier.arrivals;
    barrier.copies = 0;
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
    const std::uint32_t id = thread_id(launch.shape.grid + launch.bulk_copies_started++, 0);
    check_copy_access(thread, id, {from, bytes, false, false, site});
    check_copy_access(thread, id, {to, bytes, true, false, site});
    launch.copies.push_back({id, thread.block->index, to, from, bytes, reinterpret_cast<std::uintptr_t>(word), site});
    preemption_point();
}

void deliver_copy() {
    const std::uint32_t which = launch.random.below(std::uint32_t(launch.copies.size()));
    const BulkCopy copy = launch.copies[which];
    launch.copies.erase(launch.copies.begin() + which);
    std::memcpy(reinterpret_cast<void*>(copy.to), reinterpret_cast<const void*>(copy.from), copy.bytes);
    mark_written(*launch.blocks[copy.block], copy.to, copy.bytes);
    CopyBarrier& barrier = launch.copy_barriers[copy.barrier];
    barrier.missing_bytes -= copy.bytes;
    ++barrier.copies;
    KnowledgeJoin arrival;
    arrival.add_thread(copy.id, 2);  // all that it did
    barrier.arriving.add(arrival.finish());
    complete_if_done(barrier);
}

void check_copies_at_end(const Block& block) {
    for (const BulkCopy& copy : launch.copies) {
        if (copy.block != block.index) continue;
        const std::string line = source_lines({copy.site})[0];
        report_fatal("bulk copy at end " + line, "bulk copy: block " + std::to_string(block.index) +
                                                     " ended before a copy into its shared memory arrived (" + line +
                                                     ")");
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
