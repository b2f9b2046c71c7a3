#pragma once

#include <vector>

#include "compare/kernel_comparison.h"
#include "db/measured_kernels.h"

namespace redtune::compare {

/// Returns those of `measured` of which both versions compile every kernel to the same machine code. What a version
/// cannot compile is left out, and so is everything if the family computes its launches differently in both versions.
/// @param measured kernels of one family, which both versions have
std::vector<db::MeasuredKernels> find_unchanged_kernels(const std::vector<db::MeasuredKernels>& measured,
                                                        KernelVersion& new_version, KernelVersion& old_version);

}  // namespace redtune::compare
