// Small kernels with the defects that reductions are known for, each with a twin that is right (`fixed`).
#pragma once

#include "kernels_src/bulk_copy.cuh"
#include "kernels_src/cluster.cuh"
#include "kernels_src/memory_model.cuh"

namespace defects {

using redtune::u32;
using redtune::u64;

struct Work {
    const int* input;  // n elements, read-only
    u32 n;
    int* output;   // one an block
    int* slots;    // uninitialised, one a block
    u32* counter;  // zero
    u64* words;    // zero, one a block
};

/// A tree over one element a thread, as all variants should have it.
template <int block>
__device__ int tree(int value) {
    __shared__ int values[block];
    values[threadIdx.x] = value;
    __syncthreads();
    for (u32 stride = block / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) values[threadIdx.x] += values[threadIdx.x + stride];
        __syncthreads();
    }
    return values[0];
}

// ---- block barriers ----

/// Threads behind the end leave before the barrier.
template <int block, bool fixed>
__global__ void early_return(const Work w) {
    const u32 i = blockIdx.x * block + threadIdx.x;
    if (!fixed && i >= w.n) return;
    const int sum = tree<block>(i < w.n ? w.input[i] : 0);
    if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
}

/// Each side of a branch has a barrier of its own.
template <int block, bool fixed>
__global__ void barrier_in_branch(const Work w) {
    if (!fixed && threadIdx.x % 2 == 0) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    w.output[blockIdx.x * block + threadIdx.x] = 1;
}
template <int block>
__global__ void barrier_outside_of_branch(const Work w) {
    __syncthreads();
    w.output[blockIdx.x * block + threadIdx.x] = 1;
}

/// No barrier between the steps of a tree: a thread reads what another may not have written yet.
template <int block, bool fixed>
__global__ void tree_without_barrier(const Work w) {
    __shared__ int values[block];
    values[threadIdx.x] = w.input[blockIdx.x * block + threadIdx.x];
    __syncthreads();
    for (u32 stride = block / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) values[threadIdx.x] += values[threadIdx.x + stride];
        if (fixed) __syncthreads();
    }
    if (threadIdx.x == 0) w.output[blockIdx.x] = values[0];
}

/// A scan in place: without the barrier between read and write a value is overwritten before it is read.
template <int block, bool fixed>
__global__ void write_after_read(const Work w) {
    __shared__ int values[block];
    values[threadIdx.x] = w.input[blockIdx.x * block + threadIdx.x];
    __syncthreads();
    const int neighbour = values[(threadIdx.x + 32) % block];
    if (fixed) __syncthreads();
    values[threadIdx.x] = neighbour;
    __syncthreads();
    if (threadIdx.x == 0) w.output[blockIdx.x] = values[0];
}

/// The second use of a shared array begins while the first may still be read.
template <int block, bool fixed>
__global__ void shared_array_twice(const Work w) {
    __shared__ int value;
    if (threadIdx.x == 0) value = w.input[0];
    __syncthreads();
    const int first = value;
    if (fixed) __syncthreads();
    if (threadIdx.x == block - 1) value = w.input[1];
    __syncthreads();
    w.output[blockIdx.x * block + threadIdx.x] = first + value;
}

/// Strided index, but the update goes to the thread's own element.
template <int block, bool fixed>
__global__ void strided_update(const Work w) {
    __shared__ int values[block];
    values[threadIdx.x] = w.input[blockIdx.x * block + threadIdx.x];
    __syncthreads();
    for (u32 stride = 1; stride < block; stride *= 2) {
        const u32 index = 2 * stride * threadIdx.x;
        if (index < block) values[fixed ? index : threadIdx.x] += values[index + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) w.output[blockIdx.x] = values[0];
}

/// The last warp without synchronisation, as code from before independent thread scheduling has it.
template <int block, bool fixed>
__global__ void volatile_last_warp(const Work w) {
    __shared__ int values[block];
    values[threadIdx.x] = w.input[blockIdx.x * block + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile int* v = values;
        int sum = v[threadIdx.x];
        for (u32 offset = block / 2; offset > 0; offset /= 2) {
            sum += v[threadIdx.x + offset];
            if (fixed) __syncwarp();
            v[threadIdx.x] = sum;
            if (fixed) __syncwarp();
        }
        if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
    }
}

/// A tree of 32 over a segment of 16: the upper half was never written.
template <bool fixed>
__global__ void wide_tree_of_narrow_segment(const Work w) {
    __shared__ int values[32];
    if (threadIdx.x < 16) values[threadIdx.x] = w.input[threadIdx.x];
    __syncthreads();
    for (u32 stride = fixed ? 8 : 16; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) values[threadIdx.x] += values[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) w.output[0] = values[0];
}

// ---- bounds ----

/// The bound is tested on the index in the block instead of the one in the grid.
template <int block, bool fixed>
__global__ void bound_of_wrong_index(const Work w) {
    const u32 i = blockIdx.x * block + threadIdx.x;
    const u32 tested = fixed ? i : threadIdx.x;
    const int sum = tree<block>(tested < w.n ? w.input[i] : 0);
    if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
}

/// The bound is tested on an index that stays at its start.
template <int block, bool fixed>
__global__ void bound_of_constant_index(const Work w) {
    u32 tested = 0;
    const u32 i = blockIdx.x * block + threadIdx.x;
    if (fixed) tested = i;
    const int sum = tree<block>(tested < w.n ? w.input[i] : 0);
    if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
}

enum class Memory { of_static, of_dynamic, global };

/// One element beside an array of blockDim.x elements; offset 0 is right.
template <Memory memory, int block, bool write>
__global__ void beside_array(int* global, const int offset) {
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    __shared__ int values[block];
    int* array = memory == Memory::of_static    ? values
                 : memory == Memory::of_dynamic ? reinterpret_cast<int*>(dynamic_shared)
                                                : global;
    array[threadIdx.x] = 1;
    __syncthreads();
    const int at = offset < 0 ? offset : int(block) - 1 + offset;
    if (threadIdx.x == 0) {
        if (write) {
            array[at] = 2;
        } else {
            global[0] = array[at];
        }
    }
}

template <bool fixed>
__global__ void write_to_input(const Work w) {
    if (threadIdx.x == 0) (fixed ? w.output : const_cast<int*>(w.input))[0] = 1;
}

template <bool fixed>
__global__ void misaligned_load(const Work w) {
    const uint4 word = __ldg(reinterpret_cast<const uint4*>(w.input + (fixed ? 4 : 1)));
    if (threadIdx.x == 0) w.output[0] = int(word.x);
}

// ---- warps ----

template <int kind>  // 0: right, 1: some lanes do not come, 2: half has exited, 3: caller not in mask, 4: bad source
__global__ void shuffle(const Work w) {
    int value = int(threadIdx.x);
    if (kind == 2 && threadIdx.x >= 16) return;
    if (kind == 1) {
        if (threadIdx.x < 16) value += __shfl_down_sync(0xffffffffu, value, 8);
        __syncthreads();
    } else if (kind == 3) {
        value += __shfl_down_sync(0x0000ffffu, value, 8, 16);
    } else if (kind == 4) {
        if (threadIdx.x < 16) value += __shfl_down_sync(0x0000ffffu, value, 8);
    } else {
        value += __shfl_down_sync(0xffffffffu, value, 8);
    }
    w.output[threadIdx.x] = value;
}

/// Lanes hand values to each other in shared memory.
template <bool fixed>
__global__ void exchange_in_warp(const Work w) {
    __shared__ int values[32];
    values[threadIdx.x] = w.input[threadIdx.x];
    if (fixed) __syncwarp();
    w.output[threadIdx.x] = values[31 - threadIdx.x];
}

/// A shuffle synchronises lanes, not memory.
template <bool fixed>
__global__ void exchange_over_shuffle(const Work w) {
    __shared__ int values[32];
    values[threadIdx.x] = w.input[threadIdx.x];
    const int other = __shfl_xor_sync(0xffffffffu, int(threadIdx.x), 31);
    if (fixed) __syncwarp();
    w.output[threadIdx.x] = values[other];
}

// ---- across blocks ----

/// The last block to arrive adds all partials. fence_before, fence_behind: see threadFenceReduction.
template <int block, bool fence_before, bool fence_behind>
__global__ void ticket(const Work w) {
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        __stcg(w.slots + blockIdx.x, sum);
        if (fence_before) __threadfence();
        is_last = atomicInc(w.counter, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    if (fence_behind) __threadfence();
    int value = 0;
    for (u32 i = threadIdx.x; i < gridDim.x; i += block) value += __ldcg(w.slots + i);
    __syncthreads();
    value = tree<block>(value);
    if (threadIdx.x == 0) w.output[0] = value;
}

/// The same with the fence in one thread, ahead of the barrier; and a fence of block scope where it has to be wider.
template <int block, bool fixed>
__global__ void ticket_of_one_thread(const Work w) {
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        w.slots[blockIdx.x] = sum;
        if (fixed) {
            __threadfence();
        } else {
            __threadfence_block();
        }
        is_last = atomicAdd(w.counter, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last || threadIdx.x != 0) return;
    int value = 0;
    for (u32 i = 0; i < gridDim.x; ++i) value += w.slots[i];
    w.output[0] = value;
}

/// Block 0 adds what the others leave, without waiting for them; fixed: a launch of its own does.
template <int block>
__global__ void partials_without_waiting(const Work w) {
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    if (threadIdx.x == 0) w.slots[blockIdx.x] = sum;
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    int value = 0;
    for (u32 i = 0; i < gridDim.x; ++i) value += w.slots[i];
    w.output[0] = value;
}

enum class Publish { relaxed_flag, fences, release, one_word };

/// Block 0 waits for a flag of each other block.
template <int block, Publish how>
__global__ void publish(const Work w) {
    int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    if (threadIdx.x != 0) return;
    if (blockIdx.x != 0) {
        if (how == Publish::one_word) {
            redtune::store_relaxed(w.words + blockIdx.x, u64(1) << 32 | u32(sum));
            return;
        }
        w.slots[blockIdx.x] = sum;
        if (how == Publish::fences) __threadfence();
        if (how == Publish::release) {
            redtune::store_release(w.words + blockIdx.x, 1);
        } else {
            redtune::store_relaxed(w.words + blockIdx.x, 1);
        }
        return;
    }
    for (u32 b = 1; b < gridDim.x; ++b) {
        u64 word = 0;
        while (word == 0) {
            word = how == Publish::release ? redtune::load_acquire(w.words + b) : redtune::load_relaxed(w.words + b);
        }
        if (how == Publish::fences) __threadfence();
        sum += how == Publish::one_word ? int(u32(word)) : w.slots[b];
    }
    w.output[0] = sum;
}

/// Every block adds to one word.
template <bool fixed>
__global__ void atomic_and_plain(const Work w) {
    if (threadIdx.x != 0) return;
    if (fixed || blockIdx.x != 0) {
        atomicAdd(w.output, 1);
    } else {
        w.output[0] += 1;
    }
}

template <bool fixed>
__global__ void wait_for_nobody(const Work w) {
    if (threadIdx.x != 0) return;
    if (fixed && blockIdx.x == gridDim.x - 1) atomicExch(w.counter, 1u);
    while (*static_cast<volatile u32*>(w.counter) == 0 && !fixed) {
    }
}

/// Which block came when.
__global__ inline void order_of_arrival(const Work w) {
    if (threadIdx.x == 0) w.output[atomicAdd(w.counter, 1u)] = int(blockIdx.x);
}

/// Four places where all threads write one word.
__global__ inline void many_races(const Work w) {
    w.output[0] = int(threadIdx.x);
    w.output[1] = int(threadIdx.x);
    w.output[2] = int(threadIdx.x);
    w.output[3] = int(threadIdx.x);
}

// ---- clusters ----

/// Rank 0 adds the values of all. Without the first barrier they may not be there, without the last one no more.
template <int block, bool first, bool last>
__global__ void cluster_sum(const Work w) {
    __shared__ int value;
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    redtune::cluster_sync();
    if (threadIdx.x == 0) value = sum;
    if (first) redtune::cluster_sync();
    if (redtune::cluster_rank() == 0 && threadIdx.x == 0) {
        int all = 0;
        for (u32 r = 0; r < redtune::cluster_size(); ++r) all += redtune::load_distributed(&value, r);
        w.output[blockIdx.x] = all;
    }
    if (last) redtune::cluster_sync();
}

/// Nobody knows that the other block runs.
template <bool fixed>
__global__ void store_to_neighbour(const Work w) {
    __shared__ int value;
    if (fixed) redtune::cluster_sync();
    if (threadIdx.x == 0) redtune::store_distributed(&value, redtune::cluster_rank() ^ 1u, int(blockIdx.x));
    redtune::cluster_sync();
    if (threadIdx.x == 0) w.output[blockIdx.x] = value;
}

enum class Arrival { right, value_behind, read_ahead, no_wait };

/// Arrival and wait apart: rank 0 reads what the others leave and needs nobody to wait for but them; the others wait
/// until it has read, and it may end without waiting for anyone.
template <int block, Arrival how>
__global__ void cluster_sum_in_phases(const Work w) {
    __shared__ ulonglong2 value;
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    const bool reads = redtune::cluster_rank() == 0;
    const auto leave = [&] {
        if (threadIdx.x == 0) value = {u64(sum), ~u64(sum)};
    };
    const auto collect = [&] {
        int all = 0;
        for (u32 r = 0; r < redtune::cluster_size(); ++r) {
            const ulonglong2 other = redtune::load_distributed(&value, r);
            all += other.y == ~other.x ? int(other.x) : -1;
        }
        w.output[blockIdx.x] = all;
    };
    redtune::cluster_sync();
    if (how != Arrival::value_behind) leave();
    redtune::cluster_arrive();
    if (how == Arrival::value_behind) leave();
    if (how == Arrival::read_ahead && reads && threadIdx.x == 0) collect();
    redtune::cluster_wait();
    if (how != Arrival::read_ahead && reads && threadIdx.x == 0) collect();
    redtune::cluster_arrive();
    if (!reads && how != Arrival::no_wait) redtune::cluster_wait();
}

enum class Misuse { none, wait_without_arrival, second_arrival, warp_apart, behind_block_barrier };

/// none: arrival and wait at different statements of a block's warps are fine.
template <Misuse how>
__global__ void misused_cluster_barrier(const Work w) {
    if (how != Misuse::wait_without_arrival) {
        if (threadIdx.x < (how == Misuse::warp_apart ? 16 : 32)) {
            redtune::cluster_arrive();
        } else {
            redtune::cluster_arrive();
        }
    }
    if (how == Misuse::second_arrival) redtune::cluster_arrive();
    if (how == Misuse::behind_block_barrier) {
        if (threadIdx.x < 32) __syncthreads();
        redtune::cluster_wait();
        redtune::cluster_sync();
        if (threadIdx.x >= 32) __syncthreads();
        return;
    }
    redtune::cluster_wait();
    if (threadIdx.x == 0) w.output[blockIdx.x] = 1;
}

/// Threads that exit count as arrived; their block may then be gone, and what they wrote last is not ordered.
enum class Leaver { only_leaves, is_read, has_written };

template <Leaver how>
__global__ void leaves_cluster(const Work w) {
    __shared__ int value;
    const bool leaver = redtune::cluster_rank() == 1;
    redtune::cluster_sync();
    if (threadIdx.x == 0) value = 1;
    if (leaver) {
        if (how == Leaver::has_written && threadIdx.x == 0) w.slots[blockIdx.x] = 1;
        return;
    }
    redtune::cluster_sync();
    if (threadIdx.x != 0) return;
    int result = 1;
    if (how == Leaver::is_read) result = redtune::load_distributed(&value, 1u);
    if (how == Leaver::has_written) result = w.slots[blockIdx.x + 1];
    w.output[blockIdx.x] = result;
}

/// Stores to a block that need not wait for them.
template <bool fixed>
__global__ void store_to_block_that_ends(const Work w) {
    __shared__ int value;
    redtune::cluster_sync();
    if (redtune::cluster_rank() == 0 && threadIdx.x == 0) redtune::store_distributed(&value, 1u, 7);
    redtune::cluster_arrive();
    if (redtune::cluster_rank() == 0) return;
    if (fixed) redtune::cluster_wait();
    if (threadIdx.x == 0) w.output[blockIdx.x - 1] = fixed ? value : 7;
}

/// A value of three words, at an address that is none of a word.
template <bool fixed>
__global__ void distributed_words(const Work w) {
    struct Three {
        unsigned char bytes[12];
    };
    __shared__ __align__(16) unsigned char bytes[32];
    if (threadIdx.x < 32) bytes[threadIdx.x] = static_cast<unsigned char>(blockIdx.x + threadIdx.x);
    redtune::cluster_sync();
    const auto* own = reinterpret_cast<const Three*>(bytes + (fixed ? 4 : 2));
    const Three other = redtune::load_distributed(own, redtune::cluster_rank() ^ 1u);
    redtune::cluster_sync();
    if (threadIdx.x == 0) w.output[blockIdx.x] = other.bytes[0] * 100 + other.bytes[11];
}

// ---- asynchronous stores ----

enum class Collect {
    right,
    no_barrier_before_store,
    init_behind_arrival,
    no_init,
    read_ahead_of_wait,
    no_wait,
    store_more_expected,
    store_less_expected,
    part_less_expected
};

/// The blocks send their sums to rank 0 and may end; it waits for as many bytes.
template <int block, Collect how>
__global__ void collect_asynchronously(const Work w) {
    __shared__ ulonglong2 sums[8];
    __shared__ redtune::CopyBarrier barrier;
    const bool collects = redtune::cluster_rank() == 0;
    const u32 bytes = redtune::cluster_size() * u32(sizeof(ulonglong2));
    const u32 expected = how == Collect::store_more_expected   ? bytes + 8
                         : how == Collect::store_less_expected ? bytes - 8
                         : how == Collect::part_less_expected  ? bytes - 4
                                                               : bytes;
    const auto init = [&] {
        if (!collects || threadIdx.x != 0 || how == Collect::no_init) return;
        redtune::init_barrier(barrier, 1);
        redtune::fence_barrier_init();
        redtune::arrive_expecting(barrier, expected);
    };
    const auto add = [&] {
        if (threadIdx.x != 0) return;
        int all = 0;
        for (u32 r = 0; r < redtune::cluster_size(); ++r) all += sums[r].y == ~sums[r].x ? int(sums[r].x) : -1;
        w.output[blockIdx.x] = all;
    };
    if (how != Collect::init_behind_arrival) init();
    redtune::cluster_arrive();
    if (how == Collect::init_behind_arrival) init();
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    if (how != Collect::no_barrier_before_store) redtune::cluster_wait();
    if (threadIdx.x == 0) {
        redtune::store_async(sums + redtune::cluster_rank(), 0u, ulonglong2{u64(sum), ~u64(sum)}, barrier);
    }
    if (how == Collect::no_barrier_before_store) redtune::cluster_wait();
    if (!collects || how == Collect::no_wait) return;
    if (how == Collect::read_ahead_of_wait) add();
    redtune::wait_barrier(barrier, 0);
    if (how != Collect::read_ahead_of_wait) add();
}

/// T is of words; `offset` of them behind an address aligned to 16.
template <class T, int offset>
__global__ void store_words_async(const Work w) {
    __shared__ __align__(16) u32 words[8];
    __shared__ redtune::CopyBarrier barrier;
    if (threadIdx.x == 0) {
        redtune::init_barrier(barrier, 1);
        redtune::fence_barrier_init();
        redtune::arrive_expecting(barrier, sizeof(T));
    }
    redtune::cluster_sync();
    if (threadIdx.x == 0) {
        T value;
        for (u32 i = 0; i < sizeof(T) / 4; ++i) value.words[i] = (i + 1) * (blockIdx.x + 1);
        redtune::store_async(reinterpret_cast<T*>(words + offset), redtune::cluster_rank() ^ 1u, value, barrier);
    }
    redtune::wait_barrier(barrier, 0);
    int sum = 0;
    for (u32 i = 0; i < sizeof(T) / 4; ++i) sum += int(words[offset + i]);
    if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
}

enum class Rounds { right, no_barrier_between, arrival_ahead_of_read };

/// Each round sends to the same place, which rank 0 must have read.
template <Rounds how>
__global__ void rounds_of_async_stores(const Work w) {
    __shared__ int values[8];
    __shared__ redtune::CopyBarrier barrier;
    constexpr u32 rounds = 4;
    const bool collects = redtune::cluster_rank() == 0 && threadIdx.x == 0;
    const u32 bytes = redtune::cluster_size() * u32(sizeof(int));
    if (collects) {
        redtune::init_barrier(barrier, 1);
        redtune::fence_barrier_init();
    }
    int sum = 0;
    redtune::cluster_sync();
    for (u32 round = 0; round < rounds; ++round) {
        if (collects) redtune::arrive_expecting(barrier, bytes);
        if (threadIdx.x == 0) {
            redtune::store_async(values + redtune::cluster_rank(), 0u, int(round + redtune::cluster_rank()), barrier);
        }
        if (redtune::cluster_rank() == 0) redtune::wait_barrier(barrier, round & 1u);
        if (how == Rounds::arrival_ahead_of_read) redtune::cluster_arrive();
        if (collects) {
            for (u32 r = 0; r < redtune::cluster_size(); ++r) sum += values[r];
        }
        if (how == Rounds::right) redtune::cluster_arrive();
        if (how != Rounds::no_barrier_between) redtune::cluster_wait();
    }
    if (collects) w.output[blockIdx.x] = sum;
}

// ---- bulk copies ----

enum class Copy { right, no_wait, misaligned, too_many_expected, too_few_expected, no_barrier_after_init };

template <int block, Copy how>
__global__ void bulk_sum(const Work w) {
    __shared__ __align__(16) int values[block + 4];
    __shared__ redtune::CopyBarrier barrier;
    if (threadIdx.x == 0) {
        redtune::init_barrier(barrier, 1);
        redtune::fence_barrier_init();
    }
    if (how != Copy::no_barrier_after_init) __syncthreads();
    constexpr u32 bytes = block * sizeof(int);
    constexpr u32 expected = how == Copy::too_many_expected  ? bytes + 16
                             : how == Copy::too_few_expected ? bytes - 16
                                                             : bytes;
    int* to = values + (how == Copy::misaligned ? 1 : 0);
    if (threadIdx.x == (how == Copy::no_barrier_after_init ? 1 : 0)) {
        redtune::arrive_expecting(barrier, expected);
        redtune::bulk_copy(to, w.input + blockIdx.x * block, bytes, barrier);
    }
    if (how != Copy::no_wait) redtune::wait_barrier(barrier, 0);
    const int value = to[threadIdx.x];
    if (how == Copy::no_wait) redtune::wait_barrier(barrier, 0);
    const int sum = tree<block>(value);
    if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
}

/// A buffer that is filled again and again, with a barrier ahead of each refill.
template <int block, bool fixed>
__global__ void bulk_pipeline(const Work w) {
    __shared__ __align__(16) int values[block];
    __shared__ redtune::CopyBarrier barrier;
    if (threadIdx.x == 0) redtune::init_barrier(barrier, 1);
    __syncthreads();
    int sum = 0;
    for (u32 tile = 0; tile < 4; ++tile) {
        if (threadIdx.x == 0) {
            redtune::arrive_expecting(barrier, sizeof(values));
            redtune::bulk_copy(values, w.input + tile * block, sizeof(values), barrier);
        }
        redtune::wait_barrier(barrier, tile & 1u);
        sum += values[threadIdx.x];
        if (fixed) __syncthreads();
    }
    sum = tree<block>(sum);
    if (threadIdx.x == 0) w.output[0] = sum;
}

enum class Stages { right, no_barrier_ahead, misaligned_size, misaligned_stage, misaligned_source };

/// Several buffers in dynamic shared memory, each with a barrier of its own, filled in turn.
template <int block, int stages, Stages how>
__global__ void bulk_stages(const Work w) {
    extern __shared__ __align__(128) unsigned char dynamic_shared[];
    __shared__ redtune::CopyBarrier full[stages];
    constexpr u32 tiles = 8;
    constexpr u32 bytes = block * sizeof(int) - (how == Stages::misaligned_size ? 4 : 0);
    const auto stage_of = [&](u32 tile) {
        return reinterpret_cast<int*>(dynamic_shared +
                                      tile % stages * (bytes + (how == Stages::misaligned_stage ? 4 : 0)));
    };
    const auto fill = [&](u32 tile) {
        redtune::arrive_expecting(full[tile % stages], bytes);
        redtune::bulk_copy(stage_of(tile), w.input + tile * block + (how == Stages::misaligned_source ? 1 : 0), bytes,
                           full[tile % stages]);
    };
    if (threadIdx.x == 0) {
        for (u32 stage = 0; stage < stages; ++stage) redtune::init_barrier(full[stage], 1);
        redtune::fence_barrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (u32 tile = 0; tile < stages; ++tile) fill(tile);
    }
    int sum = 0;
    for (u32 tile = 0; tile < tiles; ++tile) {
        redtune::wait_barrier(full[tile % stages], tile / stages & 1u);
        sum += stage_of(tile)[threadIdx.x];
        if (how != Stages::no_barrier_ahead) __syncthreads();
        if (threadIdx.x == 0 && tile + stages < tiles) fill(tile + stages);
    }
    sum = tree<block>(sum);
    if (threadIdx.x == 0) w.output[0] = sum;
}

}  // namespace defects
