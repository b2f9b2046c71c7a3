// Launches that may begin before the launch ahead of them has ended (sm_90); elsewhere, and where a launch is not made
// so, these do nothing.
#pragma once

namespace redtune {

/// Until the launch ahead in the stream has ended and what it wrote is visible.
__device__ inline void wait_for_previous_grid() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

/// The next launch may begin once all blocks have called this or ended. It sees what this one wrote only behind its
/// wait_for_previous_grid().
__device__ inline void let_next_grid_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

}  // namespace redtune
