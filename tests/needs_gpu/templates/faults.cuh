/*redtune
family  = "faults"
summary = "Stores to an address that is not mapped"
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

// The driver reports an illegal address, and the CUDA context cannot be used any more.
template <class Problem, int block>
__global__ void __launch_bounds__(block) faults(const Arguments<Problem> a) {
    *reinterpret_cast<volatile u32*>(u64(16)) = u32(a.n);
}

}  // namespace redtune
