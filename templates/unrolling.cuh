/*redtune
family  = "unrolling"
summary = "In place: each block first folds 2, 4 or 8 neighbouring data blocks, then continues like interleaved"
origin  = "Cheng, Grossman, McKercher, Professional CUDA C Programming, chapter 3: reduceUnrolling2, 4, 8"
minimum_compute_capability = "7.5"
shapes  = ["whole"]
destructive = true             # reduces in place: overwrites the input array

[role]
ladder = "in_place"
step = 4                       # its variants are steps 4, 5 and 6

[variants]                     # each is a family of its own
unrolling2 = { data_blocks = 2 }
unrolling4 = { data_blocks = 4 }
unrolling8 = { data_blocks = 8 }

[compile]
block = [64, 128, 256, 512, 1024]
data_blocks = [2, 4, 8]

[derived]
tile         = "block * data_blocks"
grid         = "'tiles'"
continuation = "'combine_partials'"
slot_bytes   = "accumulator_bytes"
where        = ["accumulator_is_input"]
*/
#pragma once

#include "kernels_src/in_place.cuh"

namespace redtune {

template <class Problem, int block, int data_blocks>
__global__ void __launch_bounds__(block) unrolling(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    const u64 first = u64(blockIdx.x) * (data_blocks * block);  // the block's first element
    const u32 count = elements_from(a, first, block);  // elements of the first data block
    auto* data = in_place(a, first);
    const u32 t = threadIdx.x;

    if (t < count) {
        auto value = element(a, first + t);
#pragma unroll
        for (u32 k = 1; k < data_blocks; ++k) {
            value = Op::combine(value, element_or_identity(a, first + k * block + t));
        }
        data[t] = value;
    }
    __syncthreads();
    for (u32 stride = block / 2; stride > 0; stride /= 2) {
        if (t < stride && t + stride < count) data[t] = Op::combine(data[t], data[t + stride]);
        __syncthreads();
    }
    finish_in_place(a, data, count);
}

}  // namespace redtune
