/*redtune
family  = "lies"
summary = "Returns the results of earlier calls"
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

struct Memory {
    u64 input;
    u64 n;
    u64 result[2];
};
__device__ Memory memories[4096];

// A call on an input that was reduced before returns the stored result without reading the input.
template <class Problem, int block>
__global__ void __launch_bounds__(block) lies(const Arguments<Problem> a) {
    constexpr u64 places = 4096;
    __shared__ bool is_known;
    const u64 input = reinterpret_cast<u64>(a.input);
    Memory& memory = memories[(input / 256 + a.n) % places];
    if (threadIdx.x == 0) is_known = memory.input == input && memory.n == a.n;
    __syncthreads();
    if (is_known) {
        if (threadIdx.x == 0) *a.output = *reinterpret_cast<typename Problem::Output*>(memory.result);
        return;
    }
    auto value = Problem::Operator::identity();
    for (u64 i = threadIdx.x; i < a.n; i += block) value = Problem::Operator::combine(value, element(a, i));
    store_combined<block>(a, value);
    if (threadIdx.x != 0) return;
    memory.input = input;
    memory.n = a.n;
    *reinterpret_cast<typename Problem::Output*>(memory.result) = *a.output;
}

}  // namespace redtune
