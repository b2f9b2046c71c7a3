#pragma once

#include <string>

namespace redtune::python {

/// Returns the path of the NVRTC that the module redtune._nvrtc finds in Python's packages; empty if it finds none.
/// Takes the GIL, so no thread may wait for the search for NVRTC (gpu::Nvrtc) while it holds the GIL.
std::string find_nvrtc();

}  // namespace redtune::python
