/*redtune
family  = "bulk"
summary = "Bulk copies fill buffers in shared memory (stages) while the threads fold the stages that are full"
origin  = "redtune; the bulk copies (cp.async.bulk) are executed by NVIDIA's tensor memory accelerator"
minimum_compute_capability = "9.0"
shapes  = ["whole"]

[compile]
block       = [128, 256, 512, 1024]
stage_bytes = [4096, 8192, 16384, 32768]
stages      = [2, 3, 4, 6, 12]
finish      = ["two_kernel", "dependent", "ticket", "publish"]
pdl         = [0, 1]                            # 1: programmatic dependent launch

[launch]
blocks_per_sm = [1, 2, 4]

[defaults]
pdl = 0

[derived]
tile          = "stage_bytes / input_bytes"
grid          = "'blocks_per_sm'"
shared_bytes  = "stages * stage_bytes"
in_flight     = "shared_bytes * blocks_per_sm"                      # bytes of the stages on one SM
bytes_in_flight = "shared_bytes"
where         = ["pdl <= back_to_back",
                 "arrays = 1",
                 "stage_bytes >= 16 * block",
                 "(shared_bytes + 4096) * blocks_per_sm <= max_shared_per_block",
                 "block * blocks_per_sm <= max_threads_per_sm",
                 "block * blocks_per_sm >= 256",
                 "n * input_bytes >= 1048576",
                 "in_flight * sm_count <= 2 * n * input_bytes",     # at least half of the stages are filled
                 "n * input_bytes < 4 * l2_bytes or in_flight >= 32768",
                 "n * input_bytes < 4 * l2_bytes or finish in ('two_kernel', 'publish')"]
*/
#pragma once

#include "kernels_src/accumulate_bulk.cuh"
#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block, int stage_bytes, int stages, Finish finish, int pdl>
__global__ void __launch_bounds__(block) bulk(const Arguments<Problem> a) {
    begin_finish<Problem, block, finish, pdl>();
    const auto value = accumulate_bulk<Problem, block, stage_bytes, stages, default_path(pdl)>(a);
    reduce_grid<Problem, block, finish>(a, value);
}

}  // namespace redtune
