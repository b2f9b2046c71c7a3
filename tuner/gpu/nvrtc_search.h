#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace redtune::gpu {

/// A function that returns the value of an environment variable; empty if the variable is not set or has no text.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// Returns the NVRTC libraries to try with dlopen, best first. If $REDTUNE_NVRTC is set, it is the only one. Otherwise
/// they are, in this order: the libraries in the folder $REDTUNE_CUDA_LIB; `preferred`, unless it is empty; the bare
/// file names, for which the loader searches; the libraries in `program_folder`/../lib, $CUDA_HOME/lib64,
/// $CUDA_PATH/lib64 and /usr/local/cuda/lib64; and those of NVIDIA's Python wheels, in the packages of the first
/// python3 on $PATH, in ~/.local and in /usr/local. In each folder, newer major versions come first.
std::vector<std::string> nvrtc_candidates(const Environment& environment, const std::filesystem::path& program_folder,
                                          const std::string& preferred = {});

/// Returns the builtins libraries (libnvrtc-builtins.so.*) in the folder of the library `nvrtc`. They must be opened
/// before NVRTC compiles: NVRTC opens its builtins library by its bare name, which works only if the library is open
/// already or if its folder is on the loader's search path.
std::vector<std::string> builtins_beside(const std::filesystem::path& nvrtc);

}  // namespace redtune::gpu
