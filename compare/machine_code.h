#pragma once

#include "tuner/jit/kernel_store.h"

namespace redtune::compare {

/// Returns whether two kernels that compiled run the same instructions with the same resources: whether the sections
/// of both cubins that belong to the kernel are equal (its code, its constants, its attributes, the size of its shared
/// memory and its registers). Kernels whose symbols differ, or of which a cubin cannot be read, count as different.
bool have_same_code(const jit::CompiledKernel& a, const jit::CompiledKernel& b);

}  // namespace redtune::compare
