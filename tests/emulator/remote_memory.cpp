#include "remote_memory.h"

#include <cstring>

#include "access_check.h"
#include "happens_before.h"
#include "scheduler.h"
#include "source_lines.h"

namespace emulator {

namespace {

std::uint32_t first_of_cluster(const Block& block) {
    return block.index / launch.shape.cluster * launch.shape.cluster;
}

// A phase of the cluster barrier tells so, or anything that tells of a barrier of the other block.
bool knows_of_start(const Thread& thread, std::uint32_t block) {
    const KnowledgePtr& known = thread.order.known;
    return known &&
           (known->phases_of(block / launch.shape.cluster) > 0 || known->covers(block, launch.first_epoch, ~0u, ~0u));
}

[[gnu::cold]] void report_remote(const char* what, std::uint32_t thread, std::uint32_t owner, std::uint32_t site) {
    const std::string line = source_lines({site})[0];
    const std::string name = "block " + std::to_string(owner);
    report_fatal(std::string("remote ") + line,
                 "cluster: " + name_of(thread) + " accesses shared memory of " + name + " (" + line + "), " + what);
}

// The same variable in the other block.
std::uintptr_t translate(const void* own_address, std::uint32_t rank, std::size_t bytes, bool write,
                         std::uint32_t site) {
    Thread& thread = *current.thread;
    const Block& own = *thread.block;
    const auto address = reinterpret_cast<std::uintptr_t>(own_address);
    if (rank >= launch.shape.cluster || !own.arena->contains(address)) {
        report_fatal("remote " + source_lines({site})[0],
                     "cluster: " + name_of(thread.id) + " accesses rank " + std::to_string(rank) + " of a cluster of " +
                         std::to_string(launch.shape.cluster) + " at " + describe_address(address, bytes) + " (" +
                         source_lines({site})[0] + ")");
    }
    if (address % bytes != 0) {
        report_fatal("misaligned " + source_lines({site})[0],
                     "misaligned: " + name_of(thread.id) + " accesses rank " + std::to_string(rank) + " at " +
                         describe_address(address, bytes) + ", at an address that is no multiple of " +
                         std::to_string(bytes) + " (" + source_lines({site})[0] + ")");
    }
    const std::uint32_t owner = first_of_cluster(own) + rank;
    if (owner != own.index) {
        if (!knows_of_start(thread, owner)) {
            report_remote("which may not have started: no cluster barrier before", thread.id, owner, site);
        }
        if (launch.ended[owner]) report_remote("which has ended", thread.id, owner, site);
        launch.blocks[owner]->remote_accesses.push_back({thread.id, own.epoch, thread.clock, site});
    }
    Block& block = *launch.blocks[owner];
    const std::uintptr_t there = address - own.arena->begin() + block.arena->begin();
    check_arena_access(block, {there, bytes, write, false, site});
    return there;
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

void note_exit(Thread& thread) {
    if (launch.shape.cluster > 1) thread.block->known_at_exit = join(thread.block->known_at_exit, thread.order.known);
}

void check_remote_accesses_at_end(Block& block) {
    for (const RemoteAccess& access : block.remote_accesses) {
        if (knows(block.known_at_exit, access.thread, access.epoch, access.clock)) continue;
        report_remote("which may have ended by then: no cluster barrier behind", access.thread, block.index,
                      access.site);
        return;
    }
}

}  // namespace emulator
