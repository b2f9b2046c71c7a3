/*redtune
family  = "shared_sequential"
summary = "Shared memory: a tree with sequential addressing; the stride is halved in each step, without bank conflicts"
origin  = "Mark Harris, Optimizing Parallel Reduction in CUDA, reduction #3 (sequential addressing); v2 of the ladder published for the A100"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[role]
ladder = "shared"
step = 3
baseline = true                # sweeps compare their winners with the best of this family

[compile]
block = [64, 128, 256, 512, 1024]

[derived]
tile         = "block"
grid         = "'tiles'"
continuation = "'repeat'"
slot_bytes   = "accumulator_bytes"
*/
#pragma once

#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block>
__global__ void __launch_bounds__(block) shared_sequential(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    __shared__ typename Problem::Accumulator values[block];
    const u32 t = threadIdx.x;

    values[t] = element_or_identity(a, u64(blockIdx.x) * block + t);
    __syncthreads();
    for (u32 stride = block / 2; stride > 0; stride /= 2) {
        if (t < stride) values[t] = Op::combine(values[t], values[t + stride]);
        __syncthreads();
    }
    if (t == 0) finish_two_kernel(a, values[0]);
}

}  // namespace redtune
