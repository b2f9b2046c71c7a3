// Programmatic dependent launch (sm_90): a kernel is launched while the previous one of its stream still runs. On other
// architectures, and in ordinary launches, these functions do nothing.
#pragma once

#include "kernels_src/load_paths.cuh"

namespace redtune {

/// Waits until the previous kernel of the stream has ended and its writes are visible.
__device__ inline void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

/// Allows the next kernel of the stream to be launched when all blocks have called this or ended. That kernel sees this
/// kernel's writes only after its own wait_for_previous_kernel().
__device__ inline void launch_dependents() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

/// Waits for the previous kernel, then allows the next one to be launched. A kernel whose launch may overlap the
/// previous kernel calls this before any access to memory, so that the memory accesses of two calls never overlap.
template <bool pdl>
__device__ void begin_pdl() {
    if constexpr (pdl) {
        wait_for_previous_kernel();
        launch_dependents();
    }
}

/// Returns the load path for kernels that do not choose one themselves. A kernel with PDL must use plain loads: the
/// previous kernel may still write the input, and the compiler may move read-only loads before the wait, or L1 may hold
/// stale lines for them.
__device__ constexpr Path default_path(bool pdl) {
    return pdl ? Path::plain : Path::read_only;
}

}  // namespace redtune
