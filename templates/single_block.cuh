/*redtune
family  = "single_block"
summary = "One block of wide loads, for inputs so small that a second block costs more than it saves"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[role]
represents_redtune = true

[compile]
block        = [32, 64, 128, 256, 512, 1024]
unroll       = [1, 2, 4, 8]
vector_bytes = [4, 8, 16]
pdl          = [0, 1]                # 1: programmatic dependent launch

[defaults]
pdl = 0

[derived]
tile  = "block * unroll * vector_bytes / input_bytes"
grid  = "'one'"
bytes_in_flight = "block * unroll * vector_bytes"
where = ["pdl <= back_to_back",
         "vector_bytes >= input_bytes",
         "arrays = 1 or block * unroll * vector_bytes <= 32768",   # larger tiles of two arrays spill registers
         "n * input_bytes <= 262144",
         "tile <= 2 * max(n, 1024)",      # at most half of the threads are idle, unless n is small
         "n <= 16 * tile"]                # limits the loop: larger inputs use more blocks
*/
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/arg_extreme_in_tile.cuh"
#include "kernels_src/finish.cuh"
#include "kernels_src/single_tile.cuh"

namespace redtune {

// The second launch bound, one block per SM, lets the compiler use all registers; the grid has only one block. Without
// it the compiler may save registers by issuing some loads only after the first ones have arrived.
template <class Problem, int block, int unroll, int vector_bytes, int pdl>
__global__ void __launch_bounds__(block, 1) single_block(const Arguments<Problem> a) {
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes, default_path(pdl)>;
    constexpr u64 tile = u64(block) * unroll * Vector<typename Problem::Input, vector_bytes>::lanes;
    begin_pdl<pdl>();
    // Fast path: exactly one whole tile. It comes first so that it falls through to the end without a branch.
    const auto* base = single_tile_base<Problem, L>(a);
    if (__builtin_expect((a.n == tile) & is_aligned<vector_bytes>(base), true)) {
        if constexpr (has_arg_extreme_in_tile<Problem>) {
            return store_block_result(a, arg_extreme_in_whole_tile<Problem, L>(base, 0));
        } else {
            return store_combined<block>(a, reduce_single_tile<Problem, L>(a, base));
        }
    }
    // `opaque` stops the compiler from merging this test with the one above and reordering the branches.
    if (__builtin_expect(opaque(a.n) > tile, false)) return store_combined<block>(a, accumulate_grid_stride<Problem, L>(a));
    if constexpr (has_arg_extreme_in_tile<Problem>) {
        store_block_result(a, arg_extreme_in_tile<Problem, L>(a, 0));
    } else {
        store_combined<block>(a, reduce_at_most_a_tile<Problem, L>(a));
    }
}

}  // namespace redtune
