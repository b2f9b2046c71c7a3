/*redtune
family  = "complete_unroll"
summary = "In place: like complete_unroll_warps8, but the block size is a template argument, so unused steps compile to nothing"
origin  = "Cheng, Grossman, McKercher, Professional CUDA C Programming, chapter 3: reduceCompleteUnroll"
minimum_compute_capability = "7.5"
shapes  = ["whole"]
destructive = true             # reduces in place: overwrites the input array

[role]
ladder = "in_place"
step = 9

[compile]
block = [64, 128, 256, 512, 1024]

[derived]
tile         = "8 * block"
grid         = "'tiles'"
continuation = "'combine_partials'"
slot_bytes   = "accumulator_bytes"
where        = ["accumulator_is_input"]
*/
#pragma once

#include "kernels_src/in_place.cuh"

namespace redtune {

template <class Problem, int block>
__global__ void __launch_bounds__(block) complete_unroll(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    const u64 first = u64(blockIdx.x) * (8 * block);  // the block's first element
    const u32 count = elements_from(a, first, block);  // elements of the first data block
    auto* data = in_place(a, first);
    const u32 t = threadIdx.x;

    if (t < count) {
        auto value = element(a, first + t);
#pragma unroll
        for (u32 k = 1; k < 8; ++k) {
            value = Op::combine(value, element_or_identity(a, first + k * block + t));
        }
        data[t] = value;
    }
    __syncthreads();
    const auto step = [&](u32 stride) {
        if (t < stride && t + stride < count) data[t] = Op::combine(data[t], data[t + stride]);
        __syncthreads();
    };
    if constexpr (block >= 1024) step(512);
    if constexpr (block >= 512) step(256);
    if constexpr (block >= 256) step(128);
    if constexpr (block >= 128) step(64);
    if (t < 32) {
#pragma unroll
        for (u32 stride = 32; stride > 0; stride /= 2) {
            const auto other = t + stride < count ? data[t + stride] : Op::identity();
            __syncwarp();  // every lane has read before any lane writes
            if (t < count) data[t] = Op::combine(data[t], other);
            __syncwarp();  // every lane has written before any lane reads
        }
    }
    finish_in_place(a, data, count);
}

}  // namespace redtune
