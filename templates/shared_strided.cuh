/*redtune
family  = "shared_strided"
summary = "Shared memory: adds the same pairs as shared_modulo, but with consecutive threads; the strides cause bank conflicts"
origin  = "Mark Harris, Optimizing Parallel Reduction in CUDA, reduction #2 (interleaved addressing, bank conflicts); v1 of the ladder published for the A100"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[role]
ladder = "shared"
step = 2

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
__global__ void __launch_bounds__(block) shared_strided(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    __shared__ typename Problem::Accumulator values[block];
    const u32 t = threadIdx.x;

    values[t] = element_or_identity(a, u64(blockIdx.x) * block + t);
    __syncthreads();
    for (u32 stride = 1; stride < block; stride *= 2) {
        const u32 index = 2 * stride * t;
        if (index < block) values[index] = Op::combine(values[index], values[index + stride]);
        __syncthreads();
    }
    if (t == 0) finish_two_kernel(a, values[0]);
}

}  // namespace redtune
