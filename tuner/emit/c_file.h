#pragma once

#include <string>

#include "tuner/emit/emission.h"

namespace redtune::emit {

/// Returns the code as one C file (C99, also C++) with the kernels as machine code for the device's architecture, which
/// are launched through the driver API. Compiles the kernels on all cores; needs no GPU.
/// @throws DeviceError if there is no NVRTC, or it does not know the architecture; CompileError if a kernel does not
/// compile
std::string c_file(const Emission& emission);

}  // namespace redtune::emit
