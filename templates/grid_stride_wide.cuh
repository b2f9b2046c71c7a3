/*redtune
family  = "grid_stride_wide"
summary = "Grid-stride loop of wide loads; every thread keeps several loads in flight"
origin  = "redtune; the loop is NVIDIA's grid-stride loop, the ticket finish is that of CUDA's threadFenceReduction sample"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[role]
represents_redtune = true

[compile]
block        = [128, 256, 512, 1024]
unroll       = [1, 2, 4, 8]
vector_bytes = [4, 8, 16]
finish       = ["two_kernel", "dependent", "ticket", "publish", "cluster_publish", "atomic", "packed"]
path         = ["plain", "read_only", "no_allocate", "prefetch", "evict_first"]
mapping      = ["strided", "contiguous"]
accumulators = [1, 4]
min_blocks   = [1, 2]                           # __launch_bounds__: minimum blocks per SM, which limits registers
pdl          = [0, 1]                           # 1: programmatic dependent launch

[launch]
blocks_per_sm = [0.5, 1, 2, 4, 8, 16, 32]
cluster       = [1, 2]

[defaults]
path         = "read_only"
mapping      = "strided"
accumulators = 4
min_blocks   = 1
pdl          = 0
cluster      = 1

[derived]
tile          = "block * unroll * vector_bytes / input_bytes"
grid          = "'blocks_per_sm'"
combine_block = "iif(n <= 256 * tile, 32, 512)"
is_large      = "n * input_bytes >= l2_bytes"
usual         = "(path = 'read_only') + (mapping = 'strided') + (accumulators = 4) + (min_blocks = 1)"
bytes_in_flight = "block * unroll * vector_bytes"
where         = ["pdl <= back_to_back",
                 "pdl = 0 or path = 'read_only'",               # pdl uses plain loads instead: default_path()
                 "vector_bytes >= input_bytes",
                 "arrays = 1 or block * unroll * vector_bytes <= 32768",   # larger tiles of two arrays spill registers
                 "tile * 2 <= n",                                   # single_block is for inputs of less than two tiles
                 # all blocks resident at once; for the largest inputs also 8 times as many, which balances the memory channels
                 "block * blocks_per_sm <= max_threads_per_sm or block * blocks_per_sm = 8 * max_threads_per_sm and n * input_bytes >= 16 * l2_bytes",
                 "blocks_per_sm <= 8 or finish = 'publish' and block >= 512 and unroll * vector_bytes >= 64",
                 "tile * max(blocks_per_sm, 1) * sm_count <= 4 * n",
                 "n >= 65536 or unroll * vector_bytes >= 16",
                 # at most one of the four parameters in `usual` differs from its usual value, and only for large inputs
                 "usual >= iif(is_large, 3, 4)",
                 "usual = 4 or block * blocks_per_sm >= 512 and unroll * vector_bytes >= 32",
                 "usual = 4 or finish = 'publish'",
                 "min_blocks = 1 or block = 512 and blocks_per_sm >= 2",
                 "path not in ('prefetch', 'evict_first') or compute_capability >= 80",
                 "not is_large or finish not in ('dependent', 'cluster_publish', 'packed')",
                 # large inputs: fewer bytes in flight on an SM are too slow to be worth timing
                 "n * input_bytes < 4 * l2_bytes or block * blocks_per_sm * unroll * vector_bytes >= 16384"]
*/
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes, Finish finish, Path path, Mapping mapping,
          int accumulators, int min_blocks, int pdl>
__global__ void __launch_bounds__(block, min_blocks) grid_stride_wide(const Arguments<Problem> a) {
    static_assert(!pdl || path == Path::read_only, "only plain loads wait for the previous kernel");
    using L = LoadPolicy<block, unroll, vector_bytes, 128, pdl ? default_path(pdl) : path, mapping, accumulators>;
    begin_finish<Problem, block, finish, pdl>();
    reduce_grid<Problem, block, finish>(a, accumulate_grid_stride<Problem, L>(a));
}

}  // namespace redtune
