// What the compiler can find anew at little cost it finds where it is used: behind a barrier or a branch, where all wait
// for every instruction. This finds it where it is called.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// The same pointer to shared memory, which loads through it still know to be.
template <class T>
__device__ T* shared_at_hand(T* pointer) {
    u32 address = u32(__cvta_generic_to_shared(pointer));
    asm volatile("" : "+r"(address));
    return static_cast<T*>(__cvta_shared_to_generic(address));
}

}  // namespace redtune
