// Kernels with typical defects of clusters, asynchronous stores and bulk copies. Each also has a correct variant.
#pragma once

#include "kernels/distributed_memory.h"
#include "kernels_src/bulk_copy.cuh"
#include "kernels_src/cluster.cuh"
#include "tests/emulator/kernels/defects.cuh"

namespace defects {

// ---- clusters ----

/// The block of rank 0 adds all blocks' values. Defects: without the first barrier it may read values that are not
/// written yet; without the last one it may read from blocks that have ended.
template <int block, bool first, bool last>
__global__ void cluster_sum(const Work w) {
    __shared__ int value;
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    cluster_sync();
    if (threadIdx.x == 0) value = sum;
    if (first) cluster_sync();
    if (redtune::cluster_rank() == 0 && threadIdx.x == 0) {
        int all = 0;
        for (u32 r = 0; r < redtune::cluster_size(); ++r) all += load_distributed(&value, r);
        w.output[blockIdx.x] = all;
    }
    if (last) cluster_sync();
}

/// Defect: a thread stores to another block that may not have started.
template <bool fixed>
__global__ void store_to_neighbour(const Work w) {
    __shared__ int value;
    if (fixed) cluster_sync();
    if (threadIdx.x == 0) store_distributed(&value, redtune::cluster_rank() ^ 1u, int(blockIdx.x));
    cluster_sync();
    if (threadIdx.x == 0) w.output[blockIdx.x] = value;
}

enum class Arrival { right, write_after_arrival, read_before_wait, no_wait };

/// Arrives at the cluster barrier and waits for it separately. Rank 0 waits for the other blocks' values and reads
/// them. The other blocks wait until rank 0 has read; rank 0 may end without waiting for that.
template <int block, Arrival how>
__global__ void cluster_sum_with_split_barrier(const Work w) {
    __shared__ ulonglong2 value;
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    const bool reads = redtune::cluster_rank() == 0;
    const auto write_value = [&] {
        if (threadIdx.x == 0) value = {u64(sum), ~u64(sum)};
    };
    const auto collect = [&] {
        int all = 0;
        for (u32 r = 0; r < redtune::cluster_size(); ++r) {
            const ulonglong2 other = load_distributed(&value, r);
            all += other.y == ~other.x ? int(other.x) : -1;
        }
        w.output[blockIdx.x] = all;
    };
    cluster_sync();
    if (how != Arrival::write_after_arrival) write_value();
    redtune::cluster_arrive();
    if (how == Arrival::write_after_arrival) write_value();
    if (how == Arrival::read_before_wait && reads && threadIdx.x == 0) collect();
    redtune::cluster_wait();
    if (how != Arrival::read_before_wait && reads && threadIdx.x == 0) collect();
    redtune::cluster_arrive();
    if (!reads && how != Arrival::no_wait) redtune::cluster_wait();
}

enum class Misuse { none, wait_without_arrival, second_arrival, warp_at_two_statements, barriers_in_opposite_order };

/// Misuses the cluster barrier. Misuse::none is correct: the warps of a block may arrive and wait at different
/// statements.
template <Misuse how>
__global__ void misused_cluster_barrier(const Work w) {
    if (how != Misuse::wait_without_arrival) {
        if (threadIdx.x < (how == Misuse::warp_at_two_statements ? 16 : 32)) {
            redtune::cluster_arrive();
        } else {
            redtune::cluster_arrive();
        }
    }
    if (how == Misuse::second_arrival) redtune::cluster_arrive();
    if (how == Misuse::barriers_in_opposite_order) {
        if (threadIdx.x < 32) __syncthreads();
        redtune::cluster_wait();
        cluster_sync();
        if (threadIdx.x >= 32) __syncthreads();
        return;
    }
    redtune::cluster_wait();
    if (threadIdx.x == 0) w.output[blockIdx.x] = 1;
}

/// The variants of exit_before_cluster_barrier(). only_exits is correct. Defects: is_read: the shared memory of the
/// exited block is read; has_written: the last write of the exited block to global memory is read.
enum class EarlyExit { only_exits, is_read, has_written };

/// The threads of the block of rank 1 exit before a cluster barrier. They count as arrived at it, but their block may
/// have ended, and the barrier does not order their last writes.
template <EarlyExit how>
__global__ void exit_before_cluster_barrier(const Work w) {
    __shared__ int value;
    const bool exits_early = redtune::cluster_rank() == 1;
    cluster_sync();
    if (threadIdx.x == 0) value = 1;
    if (exits_early) {
        if (how == EarlyExit::has_written && threadIdx.x == 0) w.slots[blockIdx.x] = 1;
        return;
    }
    cluster_sync();
    if (threadIdx.x != 0) return;
    int result = 1;
    if (how == EarlyExit::is_read) result = load_distributed(&value, 1u);
    if (how == EarlyExit::has_written) result = w.slots[blockIdx.x + 1];
    w.output[blockIdx.x] = result;
}

/// Defect: a thread stores to a block that may end without waiting for the store.
template <bool fixed>
__global__ void store_to_block_that_ends(const Work w) {
    __shared__ int value;
    cluster_sync();
    if (redtune::cluster_rank() == 0 && threadIdx.x == 0) store_distributed(&value, 1u, 7);
    redtune::cluster_arrive();
    if (redtune::cluster_rank() == 0) return;
    if (fixed) redtune::cluster_wait();
    if (threadIdx.x == 0) w.output[blockIdx.x - 1] = fixed ? value : 7;
}

/// Reads a value of three words from another block. Defect: its address is not aligned to a word.
template <bool fixed>
__global__ void distributed_words(const Work w) {
    struct Three {
        unsigned char bytes[12];
    };
    __shared__ __align__(16) unsigned char bytes[32];
    if (threadIdx.x < 32) bytes[threadIdx.x] = static_cast<unsigned char>(blockIdx.x + threadIdx.x);
    cluster_sync();
    const auto* own = reinterpret_cast<const Three*>(bytes + (fixed ? 4 : 2));
    const Three other = load_distributed(own, redtune::cluster_rank() ^ 1u);
    cluster_sync();
    if (threadIdx.x == 0) w.output[blockIdx.x] = other.bytes[0] * 100 + other.bytes[11];
}

// ---- asynchronous stores ----

enum class Collect {
    right,
    no_barrier_before_store,
    init_after_arrival,
    no_init,
    read_before_wait,
    no_wait,
    eight_bytes_too_many_expected,
    eight_bytes_too_few_expected,
    four_bytes_too_few_expected
};

/// The blocks send their sums to rank 0 by asynchronous stores and may then end; rank 0 waits for the expected bytes.
template <int block, Collect how>
__global__ void collect_asynchronously(const Work w) {
    __shared__ ulonglong2 sums[8];
    __shared__ redtune::CopyBarrier barrier;
    const bool collects = redtune::cluster_rank() == 0;
    const u32 bytes = redtune::cluster_size() * u32(sizeof(ulonglong2));
    const u32 expected = how == Collect::eight_bytes_too_many_expected   ? bytes + 8
                         : how == Collect::eight_bytes_too_few_expected ? bytes - 8
                         : how == Collect::four_bytes_too_few_expected  ? bytes - 4
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
    if (how != Collect::init_after_arrival) init();
    redtune::cluster_arrive();
    if (how == Collect::init_after_arrival) init();
    const int sum = tree<block>(w.input[blockIdx.x * block + threadIdx.x]);
    if (how != Collect::no_barrier_before_store) redtune::cluster_wait();
    if (threadIdx.x == 0) {
        redtune::store_async(sums + redtune::cluster_rank(), 0u, ulonglong2{u64(sum), ~u64(sum)}, barrier);
    }
    if (how == Collect::no_barrier_before_store) redtune::cluster_wait();
    if (!collects || how == Collect::no_wait) return;
    if (how == Collect::read_before_wait) add();
    redtune::wait_barrier(barrier, 0);
    if (how != Collect::read_before_wait) add();
}

/// Stores a T to another block asynchronously, `offset` words after an address that is aligned to 16 bytes. A T
/// consists of words.
template <class T, int offset>
__global__ void store_words_async(const Work w) {
    __shared__ __align__(16) u32 words[8];
    __shared__ redtune::CopyBarrier barrier;
    if (threadIdx.x == 0) {
        redtune::init_barrier(barrier, 1);
        redtune::fence_barrier_init();
        redtune::arrive_expecting(barrier, sizeof(T));
    }
    cluster_sync();
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

enum class Rounds { right, no_barrier_between, arrival_before_read };

/// Stores asynchronously to the same variables in each round. Rank 0 must have read them before the next round; the
/// defects are a missing cluster barrier and an arrival at it before the read.
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
    cluster_sync();
    for (u32 round = 0; round < rounds; ++round) {
        if (collects) redtune::arrive_expecting(barrier, bytes);
        if (threadIdx.x == 0) {
            redtune::store_async(values + redtune::cluster_rank(), 0u, int(round + redtune::cluster_rank()), barrier);
        }
        if (redtune::cluster_rank() == 0) redtune::wait_barrier(barrier, round & 1u);
        if (how == Rounds::arrival_before_read) redtune::cluster_arrive();
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

/// Adds a block's elements, which a bulk copy brings to shared memory.
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

/// Fills one buffer by bulk copies several times. Defect: there is no barrier before the buffer is filled again.
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

enum class Stages { right, no_barrier_before_refill, misaligned_size, misaligned_stage, misaligned_source };

/// Fills several buffers in dynamic shared memory by bulk copies, in turn; each buffer has its own mbarrier.
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
        if (how != Stages::no_barrier_before_refill) __syncthreads();
        if (threadIdx.x == 0 && tile + stages < tiles) fill(tile + stages);
    }
    sum = tree<block>(sum);
    if (threadIdx.x == 0) w.output[0] = sum;
}

}  // namespace defects
