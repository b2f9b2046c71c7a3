#include "remote_memory.h"

#include <cstring>

#include "access_check.h"
#include "bulk_copies.h"
#include "happens_before.h"
#include "scheduler.h"
#include "source_lines.h"

namespace emulator {

namespace {

std::uint32_t first_of_cluster(const Block& block) {
    return block.index / launch.shape.cluster * launch.shape.cluster;
}

// Returns whether the other block's start is ordered before this point of the thread: by a phase of the cluster
// barrier, or by any synchronisation that follows a block barrier of that block.
bool is_start_ordered(const Thread& thread, std::uint32_t block) {
    const ClockPtr& known = thread.order.known;
    return known &&
           (known->phases_of(block / launch.shape.cluster) > 0 || known->covers(block, launch.first_epoch, ~0u, ~0u));
}

[[gnu::cold]] void report_remote(const char* action, const char* what, std::uint32_t thread, std::uint32_t owner,
                                 std::uint32_t site) {
    const std::string line = source_lines({site})[0];
    const std::string name = "block " + std::to_string(owner);
    report_fatal(std::string("remote ") + line, "cluster: " + name_of(thread) + " " + action + " shared memory of " +
                                                    name + " (" + line + "), " + what);
}

/// One block's copy of a shared variable.
struct RemoteVariable {
    Block& owner;
    std::uintptr_t address;
};

// Returns block `rank`'s copy of a shared variable, and reports a defect if that block may not be running. action: the
// verb for the report.
RemoteVariable find_remote(const void* own_address, std::uint32_t rank, std::size_t bytes, const char* action,
                           std::uint32_t site) {
    const Thread& thread = *current.thread;
    const Block& own = *thread.block;
    const auto address = reinterpret_cast<std::uintptr_t>(own_address);
    const auto to_rank = [&] { return std::string(" ") + action + " rank " + std::to_string(rank); };
    if (rank >= launch.shape.cluster || !own.arena->contains(address)) {
        report_fatal("remote " + source_lines({site})[0],
                     "cluster: " + name_of(thread.id) + to_rank() + " of a cluster of " +
                         std::to_string(launch.shape.cluster) + " at " + describe_address(address, bytes) + " (" +
                         source_lines({site})[0] + ")");
    }
    if (address % bytes != 0) {
        report_fatal("misaligned " + source_lines({site})[0],
                     "misaligned: " + name_of(thread.id) + to_rank() + " at " + describe_address(address, bytes) +
                         ", at an address that is no multiple of " + std::to_string(bytes) + " (" +
                         source_lines({site})[0] + ")");
    }
    const std::uint32_t owner = first_of_cluster(own) + rank;
    if (owner != own.index) {
        if (!is_start_ordered(thread, owner)) {
            report_remote(action, "which may not have started: no cluster barrier before", thread.id, owner, site);
        }
        if (launch.ended[owner]) report_remote(action, "which has ended", thread.id, owner, site);
    }
    Block& block = *launch.blocks[owner];
    return {block, address - own.arena->begin() + block.arena->begin()};
}

// Reports an asynchronous store that has arrived before the block's end only by chance: no synchronisation guarantees
// it.
[[gnu::cold]] void report_unawaited(const Block& owner, const RemoteAccess& store) {
    const std::string line = source_lines({store.site})[0];
    report_fatal("remote " + line, "asynchronous store: block " + std::to_string(owner.index) +
                                       " may have ended before a store into its shared memory arrived (" + line +
                                       "): no thread of that block waits for the barrier's phase");
}

constexpr const char* access_action = "accesses";

std::uintptr_t translate(const void* own_address, std::uint32_t rank, std::size_t bytes, bool write,
                         std::uint32_t site) {
    const RemoteVariable target = find_remote(own_address, rank, bytes, access_action, site);
    const Thread& thread = *current.thread;
    if (&target.owner != thread.block) {
        target.owner.remote_accesses.push_back({thread.id, thread.block->epoch, thread.clock, site});
    }
    check_arena_access(target.owner, {target.address, bytes, write, false, site});
    return target.address;
}

}  // namespace

unsigned cluster_rank() {
    return current.thread->block->index % launch.shape.cluster;
}
unsigned cluster_size() {
    return launch.shape.cluster;
}

unsigned long long load_remote(const void* own_address, unsigned rank, std::size_t bytes) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    preemption_point();
    unsigned long long bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(translate(own_address, rank, bytes, false, site)), bytes);
    return bits;
}

void store_remote(void* own_address, unsigned rank, std::size_t bytes, unsigned long long bits) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    preemption_point();
    std::memcpy(reinterpret_cast<void*>(translate(own_address, rank, bytes, true, site)), &bits, bytes);
    note_progress();
}

void store_async(void* own_address, unsigned rank, std::size_t bytes, unsigned long long bits, void* own_barrier) {
    const std::uint32_t site = make_site(__builtin_return_address(0));
    const RuntimeScope scope;
    preemption_point();
    const char* action = "starts an asynchronous store to";
    const RemoteVariable barrier = find_remote(own_barrier, rank, sizeof(bits), action, site);
    const RemoteVariable to = find_remote(own_address, rank, bytes, action, site);
    start_async_store(to.owner, to.address, bytes, bits, barrier.address, site);
    preemption_point();
}

void note_exit(Thread& thread) {
    // Without a cluster, only the block's own asynchronous stores can arrive after its end.
    const bool matters = launch.shape.cluster > 1 || !thread.block->remote_accesses.empty();
    if (matters) thread.block->known_at_exit = join(thread.block->known_at_exit, thread.order.known);
}

void check_remote_accesses_at_end(Block& block) {
    for (const RemoteAccess& access : block.remote_accesses) {
        if (knows(block.known_at_exit, access.thread, access.epoch, access.clock)) continue;
        if (is_async_store(access.thread)) {
            report_unawaited(block, access);
        } else {
            report_remote(access_action, "which may have ended by then: no cluster barrier after the access",
                          access.thread, block.index, access.site);
        }
        return;
    }
}

}  // namespace emulator
