// Hides values from the compiler. This stops it from recomputing a cheap value after a barrier or branch, where all
// threads would wait for the instruction (rematerialisation), and from merging two computations of the same value
// (common-subexpression elimination), which it would hoist before the loads.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// Returns `pointer` as an unknown value that the compiler still knows to point to shared memory.
template <class T>
__device__ T* opaque_shared(T* pointer) {
    u32 address = u32(__cvta_generic_to_shared(pointer));
    asm volatile("" : "+r"(address));
    return static_cast<T*>(__cvta_shared_to_generic(address));
}

/// Returns `number`, of 2, 4 or 8 bytes, as a value that is unknown to the compiler.
template <class T>
__device__ T opaque(T number) {
    if constexpr (sizeof(T) == sizeof(u16)) {
        asm volatile("" : "+h"(number));
    } else if constexpr (sizeof(T) == sizeof(u32)) {
        asm volatile("" : "+r"(number));
    } else {
        static_assert(sizeof(T) == sizeof(u64), "a register has 2, 4 or 8 bytes");
        asm volatile("" : "+l"(number));
    }
    return number;
}

__device__ inline float opaque(float number) {
    asm volatile("" : "+f"(number));
    return number;
}

/// Returns `pointer` as an unknown value; the compiler forgets what it knew about the alignment.
template <class T>
__device__ const T* opaque(const T* pointer) {
    u64 address = reinterpret_cast<u64>(pointer);
    asm volatile("" : "+l"(address));
    return reinterpret_cast<const T*>(address);
}

}  // namespace redtune
