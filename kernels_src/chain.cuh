// Kernels of calls back to back: launched while the call ahead still runs, at work only when that has ended.
#pragma once

#include "kernels_src/dependent_launch.cuh"
#include "kernels_src/load_paths.cuh"

namespace redtune {

/// What a kernel whose launch may overlap the one ahead begins with: no access to memory is before it, so that the
/// kernel is right behind any other, and of two calls only one is at work.
template <bool pdl>
__device__ void begin_in_chain() {
    if constexpr (pdl) {
        wait_for_previous_grid();
        let_next_grid_start();
    }
}

/// What a kernel loads by that has no reason for another way. While a pdl one runs, and waits, the kernel ahead may
/// still write the input. All paths but the plain one are for memory that nobody writes meanwhile: the compiler may
/// move such loads to before the wait, and L1 may answer with what was there before.
__device__ constexpr Path usual_path(bool pdl) {
    return pdl ? Path::plain : Path::read_only;
}

}  // namespace redtune
