/*redtune
family  = "unroll_warps8"
summary = "In place: like unrolling8, with the steps of the last warp unrolled and without block barriers"
origin  = "Cheng, Grossman, McKercher, Professional CUDA C Programming, chapter 3: reduceUnrollWarps8; __syncwarp replaces volatile, which does not synchronise the warp"
minimum_compute_capability = "7.5"
shapes  = ["whole"]
destructive = true             # reduces in place: overwrites the input array

[role]
ladder = "in_place"
step = 7

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
__global__ void __launch_bounds__(block) unroll_warps8(const Arguments<Problem> a) {
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
    for (u32 stride = block / 2; stride > 32; stride /= 2) {
        if (t < stride && t + stride < count) data[t] = Op::combine(data[t], data[t + stride]);
        __syncthreads();
    }
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
