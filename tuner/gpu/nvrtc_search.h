#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace redtune::gpu {

/// Returns the value of an environment variable; empty if it is not set or has no text.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// What to give to dlopen, best first: $REDTUNE_NVRTC alone where it is set; else the libraries of the folder
/// $REDTUNE_CUDA_LIB, those that the loader finds by name, and those in `program_folder`/../lib,
/// $CUDA_HOME/lib64, $CUDA_PATH/lib64, /usr/local/cuda/lib64, and NVIDIA's wheels among the packages of the first
/// python3 on $PATH, of the user and of the machine. In a folder, newer major versions come first.
std::vector<std::string> nvrtc_candidates(const Environment& environment, const std::filesystem::path& program_folder);

/// The builtins libraries beside an NVRTC given by its path. NVRTC opens one by name, which fails where its folder is
/// not on the loader's search path, unless it is open already.
std::vector<std::string> builtins_beside(const std::filesystem::path& nvrtc);

}  // namespace redtune::gpu
