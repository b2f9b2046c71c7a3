/*redtune
operator = "sum_of_cubes"                # the struct below has this name in CamelCase
summary  = "Sum of cubes: an example of an operator of your own: redtune tune --op-file examples/sum_of_cubes.cuh"

[types]                                  # input = [accumulator, output]
f16 = ["f32", "f32"]
f32 = ["f32", "f32"]
f64 = ["f64", "f64"]
i32 = ["i64", "i64"]
*/
#pragma once

#include "kernels_src/operators.cuh"

namespace redtune {

template <class Input, class Accumulator, class Output>
struct SumOfCubes : Elementwise {
    static __device__ Accumulator identity() { return Accumulator(0); }
    static __device__ Accumulator transform(Input x) {
        const Accumulator value = Accumulator(x);
        return multiply(multiply(value, value), value);
    }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return add(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

}  // namespace redtune
