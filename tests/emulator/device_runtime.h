// The functions of the emulator that the stand-ins for CUDA's built-ins call.
#pragma once

#include <cstddef>
#include <source_location>

namespace emulator {

struct Index3 {
    unsigned x, y, z;
};

// These values are constant for a thread, so the compiler may merge calls (gnu::const).
[[gnu::const]] Index3 thread_index();
[[gnu::const]] Index3 block_index();
[[gnu::const]] Index3 block_dim();
[[gnu::const]] Index3 grid_dim();

/// Marks the scope of device code, where accesses are checked. rewrite_device_source puts one object at the start of
/// every kernel.
class KernelScope {
  public:
    KernelScope();
    ~KernelScope();
};

enum class BlockBarrier { plain, any, all, count };
unsigned block_barrier(BlockBarrier kind, bool predicate, std::source_location where);

enum class WarpOperation {
    sync,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    ballot,
    any,
    all,
    add,
    min_signed,
    max_signed,
    min_unsigned,
    max_unsigned,
    bit_and,
    bit_or,
    bit_xor
};
/// Waits for every lane of the mask and returns the collective's result for this lane. lane, width: the last two
/// arguments of a shuffle.
unsigned long long warp_collective(WarpOperation operation, unsigned mask, unsigned long long value, unsigned lane,
                                   unsigned width, std::source_location where);
unsigned active_mask();

enum class FenceScope { block, gpu };
void fence(FenceScope scope);
/// Switches to another thread or returns at once, as the seed decides.
void preempt();

enum class AtomicOrder { relaxed, acquire, release };
/// Returns the bits of an atomic load. The call may switch to another thread, because the caller may be polling the
/// word.
unsigned long long atomic_load(const void* from, std::size_t bytes, AtomicOrder order);
void atomic_store(void* to, std::size_t bytes, unsigned long long bits, AtomicOrder order);
// Relaxed atomic accesses of 16 bytes.
void atomic_load_128(const void* from, unsigned long long* low, unsigned long long* high);
void atomic_store_128(void* to, unsigned long long low, unsigned long long high);
/// begin_update() does the read of an atomic read-modify-write and end_update() its write; no other thread runs between
/// them.
unsigned long long begin_update(void* at, std::size_t bytes);
void end_update(void* at, std::size_t bytes, unsigned long long bits);

/// Checks a copy that the compiler may turn into a call of the C library, which is not instrumented.
void track_copy(void* to, const void* from, std::size_t bytes);
void check_alignment(const void* address, std::size_t alignment);

/// A shared variable. There is one object for each declaration in each template instantiation.
struct SharedVariable {
    const char* name;
    std::size_t bytes;
    std::size_t alignment;
    unsigned long long launch;  // the launch that assigned `offset`
    std::size_t offset;
};
void* shared_variable(SharedVariable& variable, const char* name);
void* dynamic_shared_memory();

unsigned cluster_rank();
unsigned cluster_size();
void cluster_arrive(std::source_location where);
/// name: the name of the calling function, for defect reports.
void cluster_wait(const char* name, std::source_location where);
unsigned long long load_remote(const void* own_address, unsigned rank, std::size_t bytes);
void store_remote(void* own_address, unsigned rank, std::size_t bytes, unsigned long long bits);
/// Starts an asynchronous store of 4 or 8 bytes to block `rank`'s copy of a shared variable. The store arrives at a
/// time that the seed decides, and then counts its bytes at that block's copy of the barrier.
void store_async(void* own_address, unsigned rank, std::size_t bytes, unsigned long long bits, void* own_barrier);

void init_copy_barrier(void* barrier, unsigned arrivals);
void arrive_at_copy_barrier(void* barrier, unsigned expected_bytes);
void wait_at_copy_barrier(void* barrier, unsigned parity, std::source_location where);
void start_bulk_copy(void* shared, const void* global, unsigned bytes, void* barrier);

long long clock_cycles();

}  // namespace emulator
