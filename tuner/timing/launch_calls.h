#pragma once

#include <cstdint>

#include "redtune/problem.h"
#include "tuner/launch/loaded_kernel.h"

namespace redtune::timing {

/// Makes calls of a loaded kernel over the same n elements of device memory, one after another, and waits for them. No
/// other kernel is launched, so that a profiler that watches the process sees these calls alone. The context of the
/// kernel must be current. The results are not checked. The elements are pseudo-random: floats of either sign with
/// magnitudes from 0.5 to 1, and any integers. A kernel that overwrites its input finds in each call what the previous
/// call left.
/// @throws DeviceError if memory is short, or if the kernel cannot be launched or fails
void launch_calls(const launch::LoadedKernel& kernel, const Problem& problem, std::uint64_t n, std::uint32_t calls);

}  // namespace redtune::timing
