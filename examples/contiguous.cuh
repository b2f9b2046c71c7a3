/*redtune
family  = "contiguous"
summary = "Each block folds one contiguous stretch of the array, several elements of a thread at a time"
origin  = "an example of a family of your own: redtune tune --template examples/contiguous.cuh"
minimum_compute_capability = "7.5"

[compile]                                # template arguments, in this order; every combination is compiled
block  = [128, 256, 512]
unroll = [2, 4, 8]
finish = ["two_kernel", "ticket"]

[launch]                                 # launch parameters need no further compile
blocks_per_sm = [1, 2, 4]

[derived]                                # SQL expressions of parameters, sizes and device properties
tile         = "block * unroll"
grid         = "'blocks_per_sm'"
where        = ["n >= 4 * tile", "block * blocks_per_sm <= max_threads_per_sm"]
*/
#pragma once

#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block, int unroll, Finish finish>
__global__ void __launch_bounds__(block) contiguous(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    constexpr u64 tile = u64(block) * unroll;
    const u64 tiles = (a.n + tile - 1) / tile;
    const u64 tiles_per_block = (tiles + gridDim.x - 1) / gridDim.x;
    const u64 begin = blockIdx.x * tiles_per_block * tile;
    const u64 end = begin + tiles_per_block * tile < a.n ? begin + tiles_per_block * tile : a.n;

    auto value = Op::identity();
    for (u64 first = begin + threadIdx.x; first < end; first += tile) {
#pragma unroll
        for (int i = 0; i < unroll; ++i) {
            const u64 at = first + u64(i) * block;
            if (at < end) value = Op::combine(value, element(a, at));
        }
    }
    value = combine_block<Op, block>(value);
    finish_grid<Problem, block, finish>(a, value);
}

}  // namespace redtune
