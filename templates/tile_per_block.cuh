/*redtune
family  = "tile_per_block"
summary = "One tile of wide loads for each block: no loop, all loads issued before the first add"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[compile]
block        = [32, 64, 128, 256, 512, 1024]
unroll       = [1, 2, 4, 8]
vector_bytes = [4, 8, 16]
finish       = ["two_kernel", "dependent", "ticket", "publish", "cluster_publish", "atomic", "packed"]
pdl          = [0, 1]                       # 1: programmatic dependent launch

[launch]
cluster = [1, 2, 4, 8]

[defaults]
pdl     = 0
cluster = 1

[derived]
tile          = "block * unroll * vector_bytes / input_bytes"
grid          = "'tiles'"
combine_block = "iif(n <= 256 * tile, 32, 512)"
bytes_in_flight = "block * unroll * vector_bytes"
where         = ["pdl <= back_to_back",
                 "vector_bytes >= input_bytes",
                 "arrays = 1 or block * unroll * vector_bytes <= 32768",   # larger tiles of two arrays spill registers
                 "tile * 2 <= n",                                   # single_block is for inputs of less than two tiles
                 "n <= tile * sm_count * 64",                       # limits the blocks: larger inputs use grid_stride_wide
                 "finish in ('publish', 'cluster_publish') or n <= tile * sm_count * 16",
                 "block > 32 or finish in ('publish', 'packed') and n * input_bytes <= 4194304",
                 "n * input_bytes < 1048576 or unroll * vector_bytes >= 8"]   # fewer bytes per thread have never won
*/
#pragma once

#include "kernels_src/arg_extreme_in_tile.cuh"
#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes, Finish finish, int pdl>
__global__ void __launch_bounds__(block) tile_per_block(const Arguments<Problem> a) {
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes, default_path(pdl)>;
    begin_finish<Problem, block, finish, pdl>();
    // Fast path: the array is whole, aligned tiles. It comes first so that it falls through to the end without a
    // branch. Large blocks that pack f16 or bf16 with few loads per thread do without: at 4 MiB it costs 4 % (H100).
    constexpr bool has_fast_path = !(finish == Finish::packed && IsFloat<typename Problem::Accumulator>::value &&
                                     block > 256 && unroll < 8 && sizeof(typename Problem::Input) == 2);
    constexpr bool has_empty_tiles = finish == Finish::cluster_publish;
    const auto* base = thread_base<Problem, L>(a, blockIdx.x);
    if constexpr (has_arg_extreme_in_tile<Problem> && !has_empty_tiles) {
        if (__builtin_expect(are_all_tiles_whole<Problem, L>(a, base), true)) {
            return finish_grid<Problem, block, finish>(a, arg_extreme_in_whole_tile<Problem, L>(base, blockIdx.x));
        }
        finish_grid<Problem, block, finish>(a, arg_extreme_in_tile<Problem, L>(a, blockIdx.x));
    } else {
        if constexpr (has_fast_path) {
            if (__builtin_expect(are_all_tiles_whole<Problem, L>(a, base), true)) {
                const auto tile = load_whole_tile<Problem, L>(a, base);
                return reduce_grid<Problem, block, finish>(a, reduce_whole_tile<Problem, L>(tile, a, base));
            }
        }
        const auto value = reduce_tile_of_any_array<Problem, L, has_empty_tiles>(a, blockIdx.x, gridDim.x - 1);
        reduce_grid<Problem, block, finish>(a, value);
    }
}

}  // namespace redtune
