#pragma once

#include <string>

#include "tuner/emit/emission.h"

namespace redtune::emit {

/// The parts of an emitted CUDA C++ file, in order.
struct CudaFile {
    std::string opening;  ///< comment and include guard
    std::string device;   ///< the kernels; compilers other than nvcc and NVRTC skip them
    std::string host;     ///< the launches; NVRTC skips them
    std::string closing;

    std::string text() const { return opening + device + host + closing; }
};

/// Returns the code as one .cuh file, which nvcc compiles as C++17, and NVRTC with -default-device and no header. Other
/// compilers see only the functions that compute the workspace.
CudaFile cuda_file(const Emission& emission);

/// Returns the names of the kernels, as NVRTC takes them as name expressions when it compiles the file.
std::vector<std::string> name_expressions(const Emission& emission);

}  // namespace redtune::emit
