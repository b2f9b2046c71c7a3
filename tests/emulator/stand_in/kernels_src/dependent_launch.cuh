// Stands in for the inline PTX of kernels_src/dependent_launch.cuh.
#pragma once

namespace redtune {

// Nothing to do: a launch begins here when the one ahead has ended. What a kernel would read too early is not found.
EMULATOR_INLINE void wait_for_previous_grid() {}
EMULATOR_INLINE void let_next_grid_start() {}

}  // namespace redtune
