/*redtune
family  = "one_cluster"
summary = "One cluster of blocks, combined in distributed shared memory; all loads are issued first; for small inputs"
origin  = "redtune; clusters are NVIDIA's thread block clusters"
minimum_compute_capability = "9.0"
shapes  = ["whole"]

[compile]
block        = [128, 256, 512, 1024]
unroll       = [1, 2, 4, 8]
vector_bytes = [4, 8, 16]

[launch]
cluster = [2, 4, 8, 16]

[derived]
tile   = "block * unroll * vector_bytes / input_bytes"
blocks = "cluster"
grid   = "'blocks'"
bytes_in_flight = "block * unroll * vector_bytes"
where  = ["vector_bytes >= input_bytes",
          "arrays = 1 or block * unroll * vector_bytes <= 32768",   # larger tiles of two arrays spill registers
          "n * input_bytes <= 1048576",
          "tile * cluster < 2 * n",              # at most half of the threads are idle
          "n <= 2 * tile * cluster",             # limits the loop: larger inputs use more blocks
          "unroll * vector_bytes >= 8 or n * input_bytes <= 16384"]
*/
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/block_tile.cuh"
#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes>
__global__ void __launch_bounds__(block) one_cluster(const Arguments<Problem> a) {
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes>;
    begin_finish<Problem, block, Finish::cluster>();
    constexpr u64 tile = u64(block) * unroll * Vector<typename Problem::Input, vector_bytes>::lanes;
    const auto value = a.n <= tile * gridDim.x ? reduce_tile_of_any_array<Problem, L, true>(a, blockIdx.x, gridDim.x - 1)
                                               : accumulate_grid_stride<Problem, L>(a);
    reduce_grid<Problem, block, Finish::cluster>(a, value);
}

}  // namespace redtune
