/*redtune
family  = "shared_first_add"
summary = "Shared memory: like shared_sequential, but each thread combines two elements while loading, so half the blocks suffice"
origin  = "Mark Harris, Optimizing Parallel Reduction in CUDA, reduction #4 (first add during load); v3 of the ladder published for the A100"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[role]
ladder = "shared"
step = 4

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
__global__ void __launch_bounds__(block) shared_first_add(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    __shared__ typename Problem::Accumulator values[block];
    const u32 t = threadIdx.x;

    const u64 i = u64(blockIdx.x) * (2 * block) + t;
    values[t] = Op::combine(element_or_identity(a, i), element_or_identity(a, i + block));
    __syncthreads();
    for (u32 stride = block / 2; stride > 0; stride /= 2) {
        if (t < stride) values[t] = Op::combine(values[t], values[t + stride]);
        __syncthreads();
    }
    if (t == 0) finish_two_kernel(a, values[0]);
}

}  // namespace redtune
