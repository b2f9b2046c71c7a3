// Small kernels with typical defects of reductions. Most also have a correct variant, usually chosen by `fixed`.
#pragma once

#include "kernels_src/memory_model.cuh"

namespace defects {

using redtune::u32;
using redtune::u64;

struct Work {
    const int* input;  // n elements; read-only
    u32 n;
    int* output;   // one element for each block
    int* slots;    // one element for each block; uninitialised
    u32* counter;  // zero at the launch
    u64* words;    // one element for each block; zero at the launch
};

/// Returns the sum of the values of a block's threads; it is correctly synchronised.
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

/// Defect: threads past the end of the array return before the barrier.
template <int block, bool fixed>
__global__ void early_return(const Work w) {
    const u32 i = blockIdx.x * block + threadIdx.x;
    if (!fixed && i >= w.n) return;
    const int sum = tree<block>(i < w.n ? w.input[i] : 0);
    if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
}

/// Defect: the two sides of a branch have different barriers.
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

/// Defect: there is no barrier between the steps of a tree, so that a thread may read before another one has written.
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

/// Rotates an array in place. Defect: there is no barrier between read and write, so that a value may be overwritten
/// before it is read.
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

/// Uses one shared variable twice. Defect: it is written again while other threads may still read it.
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

/// A tree with strided indices. Defect: a thread computes a strided index, but updates the element at its thread index.
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

/// Defect: the last warp relies on `volatile` instead of __syncwarp, as code written before independent thread
/// scheduling does.
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

/// Defect: the tree reads 32 values, of which 16 were never written.
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

/// Defect: the bounds check tests the index in the block instead of the index in the grid.
template <int block, bool fixed>
__global__ void bound_of_wrong_index(const Work w) {
    const u32 i = blockIdx.x * block + threadIdx.x;
    const u32 tested = fixed ? i : threadIdx.x;
    const int sum = tree<block>(tested < w.n ? w.input[i] : 0);
    if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
}

/// Defect: the bounds check tests a start index that does not advance.
template <int block, bool fixed>
__global__ void bound_of_constant_index(const Work w) {
    u32 tested = 0;
    const u32 i = blockIdx.x * block + threadIdx.x;
    if (fixed) tested = i;
    const int sum = tree<block>(tested < w.n ? w.input[i] : 0);
    if (threadIdx.x == 0) w.output[blockIdx.x] = sum;
}

enum class Memory { of_static, of_dynamic, global };

/// Accesses an array of blockDim.x elements. An offset of 0 is within bounds, a negative offset is before the start of
/// the array, and a positive offset is past its end.
template <Memory memory, int block, bool write>
__global__ void access_array_at_offset(int* global, const int offset) {
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

/// Shuffles values down by 8 lanes. Kind 0 is correct. Defects: 1: some lanes of the mask do not call the shuffle; 2:
/// half of the lanes have exited; 3: a caller is not in the mask; 4: a source lane is not in the mask.
template <int kind>
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

/// Lanes exchange values through shared memory. Defect: there is no __syncwarp.
template <bool fixed>
__global__ void exchange_in_warp(const Work w) {
    __shared__ int values[32];
    values[threadIdx.x] = w.input[threadIdx.x];
    if (fixed) __syncwarp();
    w.output[threadIdx.x] = values[31 - threadIdx.x];
}

/// Defect: a shuffle is used in place of __syncwarp; it synchronises lanes, but does not order memory.
template <bool fixed>
__global__ void exchange_after_shuffle(const Work w) {
    __shared__ int values[32];
    values[threadIdx.x] = w.input[threadIdx.x];
    const int other = __shfl_xor_sync(0xffffffffu, int(threadIdx.x), 31);
    if (fixed) __syncwarp();
    w.output[threadIdx.x] = values[other];
}

// ---- across blocks ----

/// The last block to arrive adds all partials, as in CUDA's threadFenceReduction sample. Defect: a fence is missing.
template <int block, bool fence_before, bool fence_after>
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
    if (fence_after) __threadfence();
    int value = 0;
    for (u32 i = threadIdx.x; i < gridDim.x; i += block) value += __ldcg(w.slots + i);
    __syncthreads();
    value = tree<block>(value);
    if (threadIdx.x == 0) w.output[0] = value;
}

/// Like ticket(), but one thread of each block executes the fences, and one thread adds all partials. Defect: the first
/// fence has block scope instead of GPU scope.
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

/// Defect: block 0 adds the other blocks' partials without waiting for them. Without a wait, only a second launch could
/// add them.
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

/// Block 0 waits for the flag of each other block. Defect (relaxed_flag): nothing orders a partial and its flag, which
/// are two words.
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

/// All blocks add to one word. Defect: the addition of block 0 is not atomic.
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
__global__ void spin_forever(const Work w) {
    if (threadIdx.x != 0) return;
    if (fixed && blockIdx.x == gridDim.x - 1) atomicExch(w.counter, 1u);
    while (*static_cast<volatile u32*>(w.counter) == 0 && !fixed) {
    }
}

/// Writes the block indices to `output` in the order in which the blocks arrive.
__global__ inline void order_of_arrival(const Work w) {
    if (threadIdx.x == 0) w.output[atomicAdd(w.counter, 1u)] = int(blockIdx.x);
}

/// Defect: all threads write one word, at four source lines.
__global__ inline void many_races(const Work w) {
    w.output[0] = int(threadIdx.x);
    w.output[1] = int(threadIdx.x);
    w.output[2] = int(threadIdx.x);
    w.output[3] = int(threadIdx.x);
}

}  // namespace defects
