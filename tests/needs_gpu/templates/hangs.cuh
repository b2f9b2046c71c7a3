/*redtune
family  = "hangs"
summary = "Never ends"
origin  = "a test of the worker process"
minimum_compute_capability = "7.5"
[compile]
block = [128]
[derived]
tile  = "block"
grid  = "'one'"
where = ["n <= 65536"]
*/
#pragma once

#include "kernels_src/results.cuh"

namespace redtune {

// The loop ends when the timer is zero, which the compiler cannot rule out.
template <class Problem, int block>
__global__ void __launch_bounds__(block) hangs(const Arguments<Problem> a) {
    u64 now;
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now != 0);
    store_block_result(a, Problem::Operator::identity());
}

}  // namespace redtune
