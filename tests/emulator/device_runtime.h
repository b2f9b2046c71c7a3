// What the stand-ins for CUDA's built-ins call: the part of the emulator that device code sees.
#pragma once

#include <cstddef>
#include <source_location>

namespace emulator {

struct Index3 {
    unsigned x, y, z;
};

// Constant for a thread, so that the compiler need not ask twice.
[[gnu::const]] Index3 thread_index();
[[gnu::const]] Index3 block_index();
[[gnu::const]] Index3 block_dim();
[[gnu::const]] Index3 grid_dim();

/// The rewriting step puts one at the start of every kernel: what runs inside is device code.
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
/// Waits for every lane of the mask. `lane` and `width` are the shuffles' last arguments.
unsigned long long warp_collective(WarpOperation operation, unsigned mask, unsigned long long value, unsigned lane,
                                   unsigned width, std::source_location where);
unsigned active_mask();

enum class FenceScope { block, gpu };
void fence(FenceScope scope);
/// Another thread may run here.
void preempt();

enum class AtomicOrder { relaxed, acquire, release };
/// A load of which the thread may be waiting for a change.
unsigned long long atomic_load(const void* from, std::size_t bytes, AtomicOrder order);
void atomic_store(void* to, std::size_t bytes, unsigned long long bits, AtomicOrder order);
// Relaxed accesses of 16 bytes as one.
void atomic_load_128(const void* from, unsigned long long* low, unsigned long long* high);
void atomic_store_128(void* to, unsigned long long low, unsigned long long high);
/// The halves of a read-modify-write; nothing runs between them.
unsigned long long begin_update(void* at, std::size_t bytes);
void end_update(void* at, std::size_t bytes, unsigned long long bits);

/// A copy that the compiler might leave to the C library, past the instrumentation.
void track_copy(void* to, const void* from, std::size_t bytes);
void check_alignment(const void* address, std::size_t alignment);

/// One per declaration and instantiation.
struct SharedVariable {
    const char* name;
    std::size_t bytes;
    std::size_t alignment;
    unsigned long long launch;  // in which `offset` was assigned
    std::size_t offset;
};
void* shared_variable(SharedVariable& variable, const char* name);
void* dynamic_shared_memory();

unsigned cluster_rank();
unsigned cluster_size();
void cluster_arrive(std::source_location where);
/// `name`: what the caller calls it.
void cluster_wait(const char* name, std::source_location where);
unsigned long long load_remote(const void* own_address, unsigned rank, std::size_t bytes);
void store_remote(void* own_address, unsigned rank, std::size_t bytes, unsigned long long bits);
/// Arrives some time later and then counts its bytes at the barrier of the same block. 4 or 8 bytes.
void store_async(void* own_address, unsigned rank, std::size_t bytes, unsigned long long bits, void* own_barrier);

void init_copy_barrier(void* barrier, unsigned arrivals);
void arrive_at_copy_barrier(void* barrier, unsigned expected_bytes);
void wait_at_copy_barrier(void* barrier, unsigned parity, std::source_location where);
void start_bulk_copy(void* shared, const void* global, unsigned bytes, void* barrier);

long long clock_cycles();

}  // namespace emulator
