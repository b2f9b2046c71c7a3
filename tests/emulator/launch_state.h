// The state of the launch in progress: blocks, warps, threads.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <source_location>
#include <unordered_map>
#include <vector>

#include "defects.h"
#include "device_runtime.h"
#include "fiber_stacks.h"
#include "random.h"
#include "shared_memory.h"
#include "vector_clock.h"

namespace emulator {

struct Block;

enum class ThreadState { runnable, at_block_barrier, at_warp_collective, at_cluster_barrier, at_copy_barrier, exited };

struct Thread {
    Block* block = nullptr;
    std::uint32_t index = 0;  // in the block
    std::uint32_t id = 0;     // in the launch: thread_id()
    ThreadState state = ThreadState::exited;
    std::source_location where;     // the statement at which it waits
    std::uint32_t poll_site = 0;    // the site of its last poll; 0: none
    std::uint32_t runnable_at = 0;  // its index in Block::runnable
    const char* collective = "";    // name of the barrier or collective at which it waits
    unsigned long long result = 0;  // the result of its last collective or barrier
    std::uintptr_t last_read = 0;
    std::uint32_t repeated_reads = 0;
    std::uint32_t reads_since_switch = 0;
    bool arrived_at_cluster = false;  // has arrived at the cluster barrier and not waited since
    std::source_location arrived_where;

    std::uint32_t clock = 1;
    // The clocks of the warp's lanes: accesses with smaller clocks are ordered before this thread by __syncwarp. They
    // are valid while the block is in epoch `warp_clocks_epoch`.
    std::uint32_t warp_clocks_epoch = 0;
    std::array<std::uint32_t, 32> warp_clocks{};
    Order order;

    FiberStack stack;
    ReusableFiber fiber;

    std::uint32_t lane() const { return index % 32; }
};

/// A warp collective at which some lanes have arrived.
struct Collective {
    WarpOperation operation;
    std::uint32_t mask;
    std::source_location where;
    std::uint32_t arrived = 0;
    std::array<unsigned long long, 32> values{};
    std::array<std::uint8_t, 32> lanes{};
    std::array<std::uint8_t, 32> widths{};
};

struct Warp {
    std::uint32_t present = 0;  // mask of the lanes that exist
    std::uint32_t exited = 0;
    std::vector<Collective> open;
};

/// An access to a block's shared memory by another block or by an asynchronous store. It must happen before the end of
/// the block that owns the memory.
struct RemoteAccess {
    std::uint32_t thread, epoch, clock, site;
};

struct Block {
    std::uint32_t index = 0;
    std::uint32_t live = 0;            // threads that have not exited
    std::uint32_t external_waits = 0;  // threads that wait for other blocks or transfers
    std::uint32_t epoch = 0;           // number of block barriers passed
    std::uint32_t barrier_arrived = 0;
    std::uint32_t barrier_votes = 0;
    bool started = false;
    std::vector<Thread*> runnable;
    std::vector<Warp> warps;
    std::deque<Thread> threads;
    std::unique_ptr<SharedArena> arena = std::make_unique<SharedArena>();
    std::vector<RemoteAccess> remote_accesses;
    ClockPtr known_at_exit;
};

/// A pending bulk copy or asynchronous store.
struct Transfer {
    std::uint32_t id;     // used like a thread's id (shadow_memory.h)
    std::uint32_t block;  // the block whose shared memory it writes
    std::uintptr_t to;
    std::uintptr_t from;       // the source of a bulk copy
    unsigned long long value;  // the value of an asynchronous store
    std::uint32_t bytes;
    std::uintptr_t barrier;
    std::uint32_t site;
};

/// The state of an mbarrier. A phase completes when no arrivals and no bytes are missing.
struct CopyBarrier {
    std::uint32_t arrivals = 0;  // arrivals expected in each phase
    std::int64_t missing_arrivals = 0;
    std::int64_t missing_bytes = 0;
    std::uint32_t phase = 0;
    ClockJoin arriving;
    ClockPtr completed;  // what the latest phase orders before threads that wait for it
    std::vector<Thread*> waiting;
};

/// The barrier of a cluster. A phase completes when all threads that have not exited have arrived.
struct ClusterBarrier {
    std::uint32_t missing = 0;
    std::uint32_t phase = 0;
    OrderJoin arriving;
    Order completed;  // what the latest phase orders before threads that wait for it
    std::vector<Thread*> waiting;
};

/// The clocks that atomic writes have published at an address. `released` comes from fences of GPU scope, and
/// `released_in_block` from fences of any scope, for threads of the writer's block.
struct AtomicWord {
    ClockPtr released;
    ClockPtr released_in_block;
    std::uint32_t block = 0;  // the block of the latest writer
};

struct LaunchState {
    unsigned long long number = 0;  // counts launches
    Launch shape;
    const Memory* memory = nullptr;
    const std::function<void()>* body = nullptr;
    Random random;
    Defects defects;
    bool abandoned = false;
    std::uint32_t first_epoch = 1;  // earlier epochs belong to earlier launches
    std::uint32_t last_epoch = 1;
    std::uint32_t transfers_started = 0;
    std::uint32_t stalled = 0;  // polls since memory last changed
    SharedLayout layout;
    std::vector<Block*> blocks;  // by block index; null: not started or retired
    std::vector<Block*> in_flight;
    std::vector<bool> ended;
    std::unordered_map<std::uintptr_t, AtomicWord> atomics;
    std::unordered_map<std::uintptr_t, CopyBarrier> copy_barriers;
    std::vector<Transfer> transfers;
    std::vector<ClusterBarrier> cluster_barriers;
    // Maps a thread's id to the thread's clocks when it arrived at the phases of its cluster's barrier.
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> arrival_clocks;
};
extern LaunchState launch;

/// The part of the state that every load and store checks first.
struct Current {
    bool in_device_code;
    std::uintptr_t stack_begin;
    Thread* thread;
};
extern constinit Current current;

/// Turns off the checks of accesses while the emulator's own code runs. The emulator and the instrumented sources share
/// inline functions, such as those of the standard library. The program may contain only the instrumented copies, whose
/// accesses would be checked without this.
class RuntimeScope {
  public:
    RuntimeScope() : was_(current.in_device_code) { current.in_device_code = false; }
    ~RuntimeScope() { current.in_device_code = was_; }
    RuntimeScope(const RuntimeScope&) = delete;
    RuntimeScope& operator=(const RuntimeScope&) = delete;

  private:
    bool was_;
};

}  // namespace emulator
