// Common parts of the in-place kernels, which reduce in the input array and thus overwrite it.
#pragma once

#include "kernels_src/finish.cuh"

namespace redtune {

template <class A, class B>
struct IsSame {
    static constexpr bool value = false;
};
template <class A>
struct IsSame<A, A> {
    static constexpr bool value = true;
};

/// Returns the input from element `first` on as a writable array of accumulators.
template <class P>
__device__ typename P::Accumulator* in_place(const Arguments<P>& a, u64 first) {
    static_assert(IsSame<typename P::Accumulator, typename P::Input>::value,
                  "only accumulators of the input's type fit into the input");
    return const_cast<typename P::Input*>(a.input) + first;
}

/// Returns the number of elements from index `first` to the end of the array, but at most `most`.
template <class P>
__device__ u32 elements_from(const Arguments<P>& a, u64 first, u32 most) {
    const u64 left = first < a.n ? a.n - first : 0;
    return left < most ? u32(left) : most;
}

/// Passes the block's value to finish_two_kernel(). The value is data[0], which must be visible to thread 0, or the
/// identity if `count` is 0. All threads may call it.
template <class P>
__device__ void finish_in_place(const Arguments<P>& a, const typename P::Accumulator* data, u32 count) {
    if (threadIdx.x == 0) finish_two_kernel(a, count > 0 ? data[0] : P::Operator::identity());
}

}  // namespace redtune
