// A sample of the input, from which a block estimates how large the elements are.
#pragma once

#include "kernels_src/combine_block.cuh"
#include "kernels_src/fixed_point.cuh"
#include "kernels_src/vector.cuh"

namespace redtune {

/// One element of each array for each thread of the first warp. The elements are kept as bits, because a conversion
/// would wait for the loads.
template <class P>
struct Sample {
    using Bits = typename BitsOf<sizeof(typename P::Input)>::type;
    Bits x;
    Bits y;
};

/// Loads the sample, which is the same in all blocks: eight neighbouring elements at the start of each quarter of the
/// array. The loads thus touch few cache lines, and the sample has large elements even if the array is sorted. All
/// threads call it.
template <class P>
__device__ Sample<P> load_sample(const Arguments<P>& a) {
    Sample<P> sample{};
    if (threadIdx.x < 32) {
        __syncwarp();  // prevents if-conversion, which would move these instructions before the tile's loads
        const u64 at = threadIdx.x / 8 * (a.n / 4) + threadIdx.x % 8;
        const bool exists = at < a.n;
        sample.x = load_element_predicated(exists, a.input + at);
        if constexpr (P::Operator::form == Form::of_pairs) sample.y = load_element_predicated(exists, a.second + at);
    }
    __syncwarp();  // keeps uses of earlier loads, which would wait, after the sample's loads
    // Without `opaque` the compiler sinks the conversion of the sample into the branch above, and the first warp waits
    // there for the sample before it folds its tile.
    sample.x = opaque(sample.x);
    if constexpr (P::Operator::form == Form::of_pairs) sample.y = opaque(sample.y);
    return sample;
}

/// Returns the biased exponent of the largest transformed element of the sample; valid in lane 0. All threads of a warp
/// call it.
template <class P>
__device__ u32 largest_exponent(const Sample<P>& sample) {
    typename P::Input x;
    typename P::Input y;
    memcpy(&x, &sample.x, sizeof(x));
    memcpy(&y, &sample.y, sizeof(y));
    const float element = transform_element<typename P::Operator>(x, y, 0);
    return combine_warp<Max<u32, u32, u32>>(biased_exponent(element));
}

}  // namespace redtune
