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
pdl      = [0, 1]                           # 1: launched while the call ahead still runs

[launch]
cluster = [1, 2, 4, 8]

[defaults]
pdl     = 0
cluster = 1

[derived]
tile          = "block * unroll * vector_bytes / input_bytes"
grid          = "'tiles'"
continuation  = "iif(finish in ('two_kernel', 'dependent'), 'combine_partials', 'none')"
combine_pdl       = "finish = 'dependent'"
combine_block = "iif(n <= 256 * tile, 32, 512)"
published     = "finish in ('publish', 'cluster_publish')"
slots_zeroed  = "published or finish = 'packed' and not (exact and accumulator_bytes = 4)"
slot_bytes    = "iif(slots_zeroed, iif(accumulator_bytes = 4, 8, 16), iif(finish in ('atomic', 'packed'), 0, accumulator_bytes))"
deterministic = "finish <> 'atomic' or exact"
bytes_in_flight = "block * unroll * vector_bytes"
where         = ["pdl <= back_to_back",
                 "pdl = 0 or compute_capability >= 90",
                 "vector_bytes >= input_bytes",
                 "arrays = 1 or block * unroll * vector_bytes <= 32768",   # more spill, as two arrays are held
                 "tile * 2 <= n",                                   # one tile or less belongs to single_block
                 "n <= tile * sm_count * 64",                       # while that is few blocks
                 "published or n <= tile * sm_count * 16",
                 "finish <> 'packed' or exact or n <= tile * 2047",      # FixedPoint::most_parts
                 "(finish = 'cluster_publish') = (cluster > 1)",
                 "block > 32 or finish in ('publish', 'packed') and n * input_bytes <= 4194304",
                 "finish not in ('cluster_publish', 'dependent') or compute_capability >= 90",
                 "finish <> 'packed' or adds and (exact or accumulator_bytes = 4 and input_bytes > 1)",
                 "finish <> 'atomic' or accumulator_bytes <= 8",
                 "n * input_bytes < 1048576 or unroll * vector_bytes >= 8"]   # narrow steps never paid there
*/
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/finish.cuh"
#include "kernels_src/arg_extreme_in_tile.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes, Finish finish, int pdl>
__global__ void __launch_bounds__(block) tile_per_block(const Arguments<Problem> a) {
    using L = Loads<block, unroll, vector_bytes, vector_bytes, usual_path(pdl)>;
    begin_finish<Problem, block, finish, pdl>();
    // What most calls are, first and to the end, so that no jump is in its way. But floats that are packed lose by that
    // in large blocks.
    constexpr bool has_spare_tiles = finish == Finish::cluster_publish;
    constexpr bool is_straight =
        block <= 256 || finish != Finish::packed || !IsFloat<typename Problem::Accumulator>::value;
    const auto* own = thread_base<Problem, L>(a, blockIdx.x);
    if constexpr (has_arg_extreme_in_tile<Problem> && !has_spare_tiles) {
        if (__builtin_expect(is_whole_tiles<Problem, L>(a, own), true)) {
            return finish_grid<Problem, block, finish>(a, arg_extreme_in_whole_tile<Problem, L>(own, blockIdx.x));
        }
        finish_grid<Problem, block, finish>(a, arg_extreme_in_tile<Problem, L>(a, blockIdx.x));
    } else {
        Sample<Problem> sample;
        const auto meanwhile = [&] { sample = sample_for<Problem, finish>(a); };
        if (is_straight && __builtin_expect(is_whole_tiles<Problem, L>(a, own), true)) {
            const auto value = fold_whole_tile<Problem, L>(a, own, meanwhile);
            return reduce_grid<Problem, block, finish>(a, value, sample);
        }
        const auto value = accumulate_one_tile<Problem, L, has_spare_tiles>(a, blockIdx.x, gridDim.x - 1, meanwhile);
        reduce_grid<Problem, block, finish>(a, value, sample);
    }
}

}  // namespace redtune
