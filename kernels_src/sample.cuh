// How large elements are, as far as a few of them tell.
#pragma once

#include "kernels_src/combine_block.cuh"
#include "kernels_src/fixed_point.cuh"

namespace redtune {

/// An element for each thread of the first warp. As bits, which are not looked into before they are wanted, so that
/// nothing waits for them.
template <class P>
struct Sample {
    using Bits = typename BitsOf<sizeof(typename P::Input)>::type;
    Bits x;
    Bits y;
};

/// The same elements in all blocks: eight neighbours in each of four places, which are as many requests, and of which
/// some are large where the array ascends or descends.
template <class P>
__device__ Sample<P> take_sample(const Arguments<P>& a) {
    Sample<P> sample{};
    if (threadIdx.x < 32) {
        __syncwarp();  // keeps the branch, and what comes behind it from other warps and from ahead of other loads
        const u64 at = threadIdx.x / 8 * (a.n / 4) + threadIdx.x % 8;
        const bool is_there = at < a.n;
        sample.x = load_element_if(is_there, a.input + at);
        if constexpr (P::Operator::form == Form::of_pairs) sample.y = load_element_if(is_there, a.second + at);
    }
    __syncwarp();  // keeps what waits for other loads behind it
    return sample;
}

/// The biased exponent of the largest of the sample's elements, transformed. All threads of a warp call it; valid in
/// the first.
template <class P>
__device__ u32 largest_exponent(const Sample<P>& sample) {
    typename P::Input x;
    typename P::Input y;
    memcpy(&x, &sample.x, sizeof(x));
    memcpy(&y, &sample.y, sizeof(y));
    const float element = transform_element<typename P::Operator>(x, y, 0);
    return combine_warp<Max<u32, u32, u32>>(exponent_of(element));
}

}  // namespace redtune
