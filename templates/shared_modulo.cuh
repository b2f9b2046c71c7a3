/*redtune
family  = "shared_modulo"
summary = "Shared memory: thread t adds its neighbour at stride 1, 2, 4, ...; the test t % (2 * stride) makes warps diverge"
origin  = "Mark Harris, Optimizing Parallel Reduction in CUDA, reduction #1 (interleaved addressing, divergent); v0 of the ladder published for the A100"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[role]
ladder = "shared"
step = 1

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
__global__ void __launch_bounds__(block) shared_modulo(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    __shared__ typename Problem::Accumulator values[block];
    const u32 t = threadIdx.x;

    values[t] = element_or_identity(a, u64(blockIdx.x) * block + t);
    __syncthreads();
    for (u32 stride = 1; stride < block; stride *= 2) {
        if (t % (2 * stride) == 0) values[t] = Op::combine(values[t], values[t + stride]);
        __syncthreads();
    }
    if (t == 0) finish_two_kernel(a, values[0]);
}

}  // namespace redtune
