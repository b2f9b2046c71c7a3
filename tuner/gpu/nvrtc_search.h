#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace redtune::gpu {

/// Returns the value of an environment variable; empty if it is not set or has no text.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// Returns the libraries to try with dlopen, best first. If $REDTUNE_NVRTC is set, it is the only one. Otherwise they
/// are those in the folder $REDTUNE_CUDA_LIB, the names that the loader searches for itself, and those in
/// `program_folder`/../lib, $CUDA_HOME/lib64, $CUDA_PATH/lib64, /usr/local/cuda/lib64, and NVIDIA's wheels in the
/// site-packages of the first python3 on $PATH, of the user and of the machine. In each folder, newer major versions
/// come first.
std::vector<std::string> nvrtc_candidates(const Environment& environment, const std::filesystem::path& program_folder);

/// Returns the builtins libraries in the folder of an NVRTC. NVRTC opens one by name, which fails if the folder is not
/// on the loader's search path, unless that library is already open.
std::vector<std::string> builtins_beside(const std::filesystem::path& nvrtc);

}  // namespace redtune::gpu
