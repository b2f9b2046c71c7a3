#pragma once

#include <string>

#include "tuner/emit/emission.h"
#include "tuner/emit/machine_code.h"

namespace redtune::emit {

/// Returns the code as one C file (C99, also C++), with the kernels as machine code, which are launched through the
/// driver API.
std::string c_file(const Emission& emission, const MachineCode& code);

}  // namespace redtune::emit
