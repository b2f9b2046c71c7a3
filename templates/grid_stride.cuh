/*redtune
family  = "grid_stride"
summary = "Grid-stride loop in registers, then a tree in shared memory; a second launch of the kernel, or atomics, combine the partials"
origin  = "NVIDIA's grid-stride loop (Mark Harris, CUDA Pro Tip: Write Flexible Kernels); published with 666 blocks of 256 threads"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[compile]
block  = [64, 128, 256, 512, 1024]
finish = ["two_kernel", "atomic"]

[launch]
blocks = [132, 256, 528, 666, 1056, 2112]     # the launch has at most one block per tile

[derived]
tile          = "4 * block"
grid          = "'blocks'"
continuation  = "iif(finish = 'two_kernel', 'repeat', 'none')"
*/
#pragma once

#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block, Finish finish>
__global__ void __launch_bounds__(block) grid_stride(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    __shared__ typename Problem::Accumulator values[block];
    const u32 t = threadIdx.x;

    auto value = Op::identity();
    const u64 step = u64(gridDim.x) * block;
    for (u64 i = u64(blockIdx.x) * block + t; i < a.n; i += step) value = Op::combine(value, element(a, i));

    values[t] = value;
    __syncthreads();
    for (u32 stride = block / 2; stride > 0; stride /= 2) {
        if (t < stride) values[t] = Op::combine(values[t], values[t + stride]);
        __syncthreads();
    }
    finish_grid<Problem, block, finish>(a, values[0]);
}

}  // namespace redtune
