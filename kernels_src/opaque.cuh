// What the compiler can find anew at little cost it finds where it is used: behind a barrier or a branch, where all
// wait for every instruction. And what several ways through a kernel have in common it finds ahead of them all, where
// loads wait for it. These have things found where they are called.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// The same pointer to shared memory, which loads through it still know to be.
template <class T>
__device__ T* opaque_shared(T* pointer) {
    u32 address = u32(__cvta_generic_to_shared(pointer));
    asm volatile("" : "+r"(address));
    return static_cast<T*>(__cvta_shared_to_generic(address));
}

/// The same number.
__device__ inline u32 opaque(u32 number) {
    asm volatile("" : "+r"(number));
    return number;
}

/// The same address, of whose alignment the compiler knows nothing.
template <class T>
__device__ const T* opaque(const T* pointer) {
    u64 address = reinterpret_cast<u64>(pointer);
    asm volatile("" : "+l"(address));
    return reinterpret_cast<const T*>(address);
}

}  // namespace redtune
