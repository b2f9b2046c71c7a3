/*redtune
family  = "shared_multi_add"
summary = "Shared memory: like shared_full_unroll, but a fixed number of blocks, whose threads first add many elements each"
origin  = "Mark Harris, Optimizing Parallel Reduction in CUDA, reduction #7 (multiple elements per thread); v6 of the ladder published for the A100"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[role]
ladder = "shared"
step = 7

[compile]
block = [64, 128, 256, 512, 1024]

[launch]
blocks = [256, 512, 1024, 2048]     # the launch has at most one block per tile

[derived]
tile         = "4 * block"
grid         = "'blocks'"
continuation = "'repeat'"
slot_bytes   = "accumulator_bytes"
*/
#pragma once

#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block>
__global__ void __launch_bounds__(block) shared_multi_add(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    __shared__ typename Problem::Accumulator values[block];
    const u32 t = threadIdx.x;

    // Each block folds one contiguous range, a multiple of `block` elements long.
    const u64 all = u64(gridDim.x) * block;
    const u64 range_length = (a.n + all - 1) / all * block;
    const u64 begin = blockIdx.x * range_length;
    const u64 end = begin + range_length < a.n ? begin + range_length : a.n;
    auto value = Op::identity();
    for (u64 i = begin + t; i < end; i += block) value = Op::combine(value, element(a, i));
    values[t] = value;
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
