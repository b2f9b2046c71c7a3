/*redtune
family  = "writes_past_end"
summary = "Stores a second result behind the output"
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

// The result is right, and the element behind it is overwritten.
template <class Problem, int block>
__global__ void __launch_bounds__(block) writes_past_end(const Arguments<Problem> a) {
    auto value = Problem::Operator::identity();
    for (u64 i = threadIdx.x; i < a.n; i += block) value = Problem::Operator::combine(value, element(a, i));
    store_combined<block>(a, value);
    if (threadIdx.x == 0) a.output[1] = a.output[0];
}

}  // namespace redtune
