/*redtune
family  = "neighbored_less"
summary = "In place: adds the same pairs as neighbored, but with consecutive threads, so that whole warps are idle"
origin  = "Cheng, Grossman, McKercher, Professional CUDA C Programming, chapter 3: reduceNeighboredLess"
minimum_compute_capability = "7.5"
shapes  = ["whole"]
destructive = true             # reduces in place: overwrites the input array

[role]
ladder = "in_place"
step = 2

[compile]
block = [64, 128, 256, 512, 1024]

[derived]
tile         = "block"
grid         = "'tiles'"
continuation = "'combine_partials'"
slot_bytes   = "accumulator_bytes"
where        = ["accumulator_is_input"]
*/
#pragma once

#include "kernels_src/in_place.cuh"

namespace redtune {

template <class Problem, int block>
__global__ void __launch_bounds__(block) neighbored_less(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    const u64 first = u64(blockIdx.x) * block;  // the block's first element
    const u32 count = elements_from(a, first, block);
    auto* data = in_place(a, first);
    const u32 t = threadIdx.x;

    if (t < count) data[t] = element(a, first + t);
    __syncthreads();
    for (u32 stride = 1; stride < block; stride *= 2) {
        const u32 index = 2 * stride * t;
        if (index + stride < count) data[index] = Op::combine(data[index], data[index + stride]);
        __syncthreads();
    }
    finish_in_place(a, data, count);
}

}  // namespace redtune
