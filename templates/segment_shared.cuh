/*redtune
family  = "segment_shared"
summary = "Rows: a warp or a part of one for each row; its lanes combine their values in shared memory"
origin  = "segmented reduction of rows of 32 through shared memory (published on a K20c); unlike it, this kernel reads no uninitialised word"
minimum_compute_capability = "7.5"
shapes  = ["rows"]

[role]
ladder = "rows"
step = 1

[compile]
block = [64, 128, 256, 512, 1024]
lanes = [2, 4, 8, 16, 32]            # threads for each row

[derived]
tile         = "block"
grid         = "'rows'"
rows_per_block = "block / lanes"
where        = ["lanes <= max(2, 2 * row_length)",      # at most half of the lanes are idle
                "row_length <= 64 * lanes"]             # longer rows need more threads
*/
#pragma once

#include "kernels_src/rows.cuh"

namespace redtune {

template <class Problem, int block, int lanes>
__global__ void __launch_bounds__(block) segment_shared(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    __shared__ typename Problem::Accumulator values[block];
    const u32 t = threadIdx.x;
    const u32 lane = t % lanes;
    const u64 row = (u64(blockIdx.x) * block + t) / lanes;

    const auto value = fold_row<lanes>(a, row, lane);
    values[t] = value;
    __syncwarp();
#pragma unroll
    for (u32 stride = lanes / 2; stride > 0; stride /= 2) {
        if (lane < stride) values[t] = Op::combine(values[t], values[t + stride]);
        __syncwarp();
    }
    if (lane == 0) store_row(a, row, values[t]);
}

}  // namespace redtune
