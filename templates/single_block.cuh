/*redtune
family  = "single_block"
summary = "One block of wide loads, for inputs so small that a second block costs more than it saves"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["whole"]

[compile]
block        = [32, 64, 128, 256, 512, 1024]
unroll       = [1, 2, 4, 8]
vector_bytes = [4, 8, 16]
pdl      = [0, 1]                    # 1: launched while the call ahead still runs

[defaults]
pdl = 0

[derived]
tile  = "block * unroll * vector_bytes / input_bytes"
grid  = "'one'"
bytes_in_flight = "block * unroll * vector_bytes"
where = ["pdl <= back_to_back",
         "pdl = 0 or compute_capability >= 90",
         "vector_bytes >= input_bytes",
         "arrays = 1 or block * unroll * vector_bytes <= 32768",   # more spill, as two arrays are held
         "n * input_bytes <= 262144",
         "tile <= 2 * max(n, 1024)",      # no more than half of the block idle
         "n <= 16 * tile"]                # a short loop: longer ones belong to more blocks
*/
#pragma once

#include "kernels_src/accumulate_alone.cuh"
#include "kernels_src/finish.cuh"
#include "kernels_src/arg_extreme_in_tile.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes, int pdl>
__global__ void __launch_bounds__(block) single_block(const Arguments<Problem> a) {
    using L = Loads<block, unroll, vector_bytes, vector_bytes, usual_path(pdl)>;
    begin_in_chain<pdl>();
    constexpr u64 tile = u64(block) * unroll * Vector<typename Problem::Input, vector_bytes>::lanes;
    // What most calls are, first and to the end, so that no jump is in its way.
    if constexpr (supports_unaligned_tile<Problem, L>) {
        const auto* own = thread_base_aligned_up<Problem, L>(a);
        if (__builtin_expect((a.n == tile) & is_aligned<vector_bytes>(own), true)) {
            return store_combined<block>(a, reduce_single_tile<Problem, L>(a, own));
        }
    } else {
        const auto* own = thread_base<Problem, L>(a, 0);
        if (__builtin_expect((a.n == tile) & is_aligned<vector_bytes>(own), true)) {
            if constexpr (has_arg_extreme_in_tile<Problem>) {
                return store_first(a, arg_extreme_in_whole_tile<Problem, L>(own, 0));
            } else {
                return store_combined<block>(a, fold_whole_tile<Problem, L>(a, own, [] {}));
            }
        }
    }
    // Not as the same number, or the compiler looks first at what is less likely.
    const u64 n = u64(opaque(u32(a.n >> 32))) << 32 | opaque(u32(a.n));
    if (__builtin_expect(n > tile, false)) return store_combined<block>(a, accumulate_grid_stride<Problem, L>(a));
    if constexpr (has_arg_extreme_in_tile<Problem>) {
        store_first(a, arg_extreme_in_tile<Problem, L>(a, 0));
    } else {
        store_combined<block>(a, accumulate_alone<Problem, L>(a));
    }
}

}  // namespace redtune
