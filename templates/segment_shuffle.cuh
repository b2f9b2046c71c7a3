/*redtune
family  = "segment_shuffle"
summary = "Rows: a warp or a part of one for each row; its lanes combine their values with shuffles"
origin  = "segmented reduction of rows of 32 with shuffles (published on a K20c)"
minimum_compute_capability = "7.5"
shapes  = ["rows"]

[role]
ladder = "rows"
step = 2

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
__global__ void __launch_bounds__(block) segment_shuffle(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    const u32 lane = threadIdx.x % lanes;
    const u64 row = (u64(blockIdx.x) * block + threadIdx.x) / lanes;

    auto value = fold_row<lanes>(a, row, lane);
#pragma unroll
    for (int offset = lanes / 2; offset > 0; offset /= 2) {
        value = Op::combine(value, shuffle_down(value, offset));
    }
    if (lane == 0) store_row(a, row, value);
}

}  // namespace redtune
