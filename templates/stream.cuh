/*redtune
family  = "stream"
summary = "Grid-stride loop of wide loads; every thread keeps several loads in flight"
origin  = "redtune; the loop is NVIDIA's grid-stride loop, the ticket finish CUDA's threadFenceReduction sample"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[compile]
block        = [128, 256, 512, 1024]
unroll       = [1, 2, 4, 8]
vector_bytes = [4, 8, 16]
finish       = ["two_kernel", "ticket", "publish"]

[launch]
blocks_per_sm = [0, 0.25, 0.5, 1, 2, 4, 8]      # 0: one tile per block

[derived]
tile         = "block * unroll * vector_bytes / input_bytes"
grid         = "'blocks_per_sm'"
continuation = "iif(finish = 'two_kernel', 'combine_partials', 'none')"
slot_bytes   = "iif(finish = 'publish', iif(accumulator_bytes = 4, 8, 16), accumulator_bytes)"
slots_zeroed = "finish = 'publish'"
where        = ["vector_bytes >= input_bytes",
                "tile * 2 <= n",                                   # one tile or less belongs to single_block
                "block * blocks_per_sm <= max_threads_per_sm",     # all blocks resident at once
                "blocks_per_sm > 0 or n <= 4096 * sm_count * 32",  # one tile per block: while that is few blocks
                "n < 1048576 or unroll * vector_bytes >= 16",      # narrow steps never paid there
                # enough bytes in flight to be worth a timing once the input is large
                "n * input_bytes < 4 * l2_bytes or block * max(blocks_per_sm, 1) * unroll * vector_bytes >= 8192"]
*/
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes, Finish finish>
__global__ void __launch_bounds__(block) stream(const Arguments<Problem> a) {
    auto value = accumulate_grid_stride<Problem, block, unroll, vector_bytes>(a);
    value = combine_block<typename Problem::Operator, block>(value);
    finish_grid<Problem, block, finish>(a, value);
}

}  // namespace redtune
