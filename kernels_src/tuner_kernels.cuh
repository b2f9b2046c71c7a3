// The tuner's own kernels. They fill inputs, compute references, compare results (all in the headers below), evict L2, and
// measure clock frequency and latency. No family uses them.
#pragma once

#include "kernels_src/compare_results.cuh"
#include "kernels_src/data_kinds.cuh"
#include "kernels_src/dependent_launch.cuh"
#include "kernels_src/memory_model.cuh"
#include "kernels_src/reference.cuh"

namespace redtune {

/// Reads `count` 16-byte words to evict everything else from L2. It reads because writes would leave dirty lines, which
/// the next kernel would have to write back.
__global__ void read_buffer(const uint4* from, u64 count, u32* sink) {
    u32 seen = 0;
    const u64 step = u64(gridDim.x) * blockDim.x;
    u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + 7 * step < count; i += 8 * step) {
        uint4 loaded[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) loaded[k] = __ldcg(from + i + k * step);
#pragma unroll
        for (int k = 0; k < 8; ++k) seen ^= loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
    }
    for (; i < count; i += step) {
        const uint4 loaded = __ldcg(from + i);
        seen ^= loaded.x ^ loaded.y ^ loaded.z ^ loaded.w;
    }
    if (seen == 0x5eed5eedu) *sink = seen;  // stops the compiler from removing the loads; harmless if ever true
}

/// Returns the time of the global timer in nanoseconds.
__device__ inline u64 global_nanoseconds() {
    u64 time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

/// Counts SM clock cycles and nanoseconds for about the given time; their ratio is the current clock frequency.
__global__ void probe_clock(u64 nanoseconds, u64* cycles_and_nanoseconds) {
    const u64 begin = global_nanoseconds();
    const long long begin_cycles = clock64();
    u64 now = begin;
    while (now - begin < nanoseconds) now = global_nanoseconds();
    cycles_and_nanoseconds[0] = u64(clock64() - begin_cycles);
    cycles_and_nanoseconds[1] = now - begin;
}

/// Measures the latency of loads, in SM clock cycles: loads each of `count` words a few times and stores the lowest
/// latency of each. The words are `stride` words apart and must all be 0. The grid is one block of one thread, so that
/// the latency is that seen from one SM.
__global__ void probe_latency(const u64* words, u64 stride, u32 count, u32* cycles) {
    constexpr int repetitions = 4;
    for (u32 i = 0; i < count; ++i) {
        u32 least = ~u32(0);
        for (int repetition = 0; repetition < repetitions; ++repetition) {
            const long long begin = clock64();
            const u64 word = load_relaxed(words + i * stride);
            if (word != 0) cycles[i] = u32(word);  // never true; makes the second clock read wait for the load
            const u32 taken = u32(clock64() - begin);
            if (taken < least) least = taken;
        }
        cycles[i] = least;
    }
}

/// Does nothing, but takes the arguments of a family's kernel, so its time is a lower bound on the time of a launch.
/// pdl: the kernel waits for the previous kernel and launches dependents as a family's kernel with PDL does.
template <class Problem, bool pdl>
__global__ void empty(const Arguments<Problem>) {
    begin_pdl<pdl>();
}

}  // namespace redtune
