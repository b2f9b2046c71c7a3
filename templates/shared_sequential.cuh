/*redtune
family  = "shared_sequential"
summary = "The classic tree in shared memory: one element per thread, the stride halves, no bank conflicts"
origin  = "Mark Harris, Optimizing Parallel Reduction in CUDA, reduction #3 (sequential addressing)"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[compile]
block = [64, 128, 256, 512, 1024]

[derived]
tile         = "block"
grid         = "'tiles'"
continuation = "'repeat'"
slot_bytes   = "accumulator_bytes"
shared_bytes = "block * accumulator_bytes"
*/
#pragma once

#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block>
__global__ void __launch_bounds__(block) shared_sequential(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    using Accumulator = typename Problem::Accumulator;
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    Accumulator* values = reinterpret_cast<Accumulator*>(dynamic_shared);

    const u64 i = u64(blockIdx.x) * block + threadIdx.x;
    values[threadIdx.x] = i < a.n ? Op::transform(a.input[i]) : Op::identity();
    __syncthreads();
    for (int stride = block / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) {
            values[threadIdx.x] = Op::combine(values[threadIdx.x], values[threadIdx.x + stride]);
        }
        __syncthreads();
    }
    finish_two_kernel<Problem>(a, values[0]);
}

}  // namespace redtune
