#pragma once

#include <string>
#include <vector>

#include "tuner/emit/emission.h"

namespace redtune::emit {

/// The kernels of an emission as machine code.
struct MachineCode {
    std::string compiler;  ///< the compiler's version: "NVRTC 13.0"
    std::vector<std::string> cubins;
    std::vector<std::size_t> cubin_of_kernel;   ///< index of the kernel's cubin, for each kernel
    std::vector<std::string> symbol_of_kernel;  ///< the kernel's name in its cubin, for each kernel
};

/// Compiles the kernels for the emission's device, several in each program and the programs on all cores. The result
/// does not depend on the number of cores. Needs no GPU.
/// @throws DeviceError if there is no NVRTC, or it does not know the architecture; CompileError if a kernel does not
/// compile
MachineCode compile_kernels(const Emission& emission);

}  // namespace redtune::emit
