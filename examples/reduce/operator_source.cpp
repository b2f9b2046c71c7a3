// Reduces with an operator that the program itself contains as text: the largest difference between two arrays.
#include "check.h"

// The operator's source text. The struct is called like the operator, in CamelCase.
const char* const largest_gap = R"(
/*redtune
operator = "largest_gap"
arrays   = 2                             # transform takes pairs
[types]                                  # input = [accumulator, output]
f32 = ["f32", "f32"]
*/
#include "kernels_src/operators.cuh"

namespace redtune {

template <class Input, class Accumulator, class Output>
struct LargestGap : OfPairs {
    static __device__ Accumulator identity() { return Accumulator(0); }
    static __device__ Accumulator transform(Input x, Input y) { return x < y ? y - x : x - y; }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a < b ? b : a; }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

}  // namespace redtune
)";

int main() {
    constexpr std::size_t n = 50'000;
    std::vector<float> shifted(n, 2.0F);
    shifted[12'345] = -5.0F;
    DeviceArray<float> x(std::vector<float>(n, 2.0F));
    DeviceArray<float> y(shifted);
    DeviceArray<float> output(1);

    redtune::ReducerOptions options;
    options.operator_source = largest_gap;
    redtune::Reducer gap(redtune::Reducer::problem_of_source(largest_gap, redtune::Type::f32), options);
    check(gap.reduce({x.data(), y.data()}, n, output.data(), nullptr));
    expect("largest gap", output.values()[0], 7.0);
}
