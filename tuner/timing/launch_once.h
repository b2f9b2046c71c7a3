#pragma once

#include <cstdint>

#include "redtune/problem.h"
#include "tuner/launch/loaded_kernel.h"

namespace redtune::timing {

/// Makes one call of a loaded kernel over n elements of device memory, and waits for it. No other kernel is launched,
/// so that a profiler that watches the process sees this call alone. The context of the kernel must be current. The
/// result is not checked. The elements are pseudo-random: floats of either sign with magnitudes from 0.5 to 1, and any
/// integers.
/// @throws DeviceError if memory is short, or if the kernel cannot be launched or fails
void launch_once(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n);

}  // namespace redtune::timing
