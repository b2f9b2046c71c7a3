/*redtune
family  = "shared_full_unroll"
summary = "Shared memory: like shared_last_warp, with the whole tree unrolled; the block size is a template argument"
origin  = "Mark Harris, Optimizing Parallel Reduction in CUDA, reduction #6 (completely unrolled); v5 of the ladder published for the A100"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[role]
ladder = "shared"
step = 6

[compile]
block = [64, 128, 256, 512, 1024]

[derived]
tile         = "2 * block"
grid         = "'tiles'"
continuation = "'repeat'"
slot_bytes   = "accumulator_bytes"
*/
#pragma once

#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block>
__global__ void __launch_bounds__(block) shared_full_unroll(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    __shared__ typename Problem::Accumulator values[block];
    const u32 t = threadIdx.x;

    const u64 i = u64(blockIdx.x) * (2 * block) + t;
    values[t] = Op::combine(element_or_identity(a, i), element_or_identity(a, i + block));
    __syncthreads();
    const auto step = [&](u32 stride) {
        if (t < stride) values[t] = Op::combine(values[t], values[t + stride]);
        __syncthreads();
    };
    if constexpr (block >= 1024) step(512);
    if constexpr (block >= 512) step(256);
    if constexpr (block >= 256) step(128);
    if constexpr (block >= 128) step(64);
    if (t < 32) {
#pragma unroll
        for (u32 stride = 32; stride > 0; stride /= 2) {
            const auto other = values[t + stride];
            __syncwarp();  // every lane has read before any lane writes
            values[t] = Op::combine(values[t], other);
            __syncwarp();  // every lane has written before any lane reads
        }
    }
    if (t == 0) finish_two_kernel(a, values[0]);
}

}  // namespace redtune
