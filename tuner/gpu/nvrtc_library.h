#pragma once

#include <nvrtc.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "tuner/gpu/nvrtc.h"

namespace redtune::gpu {

// clang-format off
#define REDTUNE_NVRTC_ENTRIES(entry) \
    entry(nvrtcVersion) entry(nvrtcGetErrorString) entry(nvrtcGetNumSupportedArchs) entry(nvrtcGetSupportedArchs) \
    entry(nvrtcCreateProgram) entry(nvrtcDestroyProgram) entry(nvrtcAddNameExpression) entry(nvrtcCompileProgram) \
    entry(nvrtcGetProgramLogSize) entry(nvrtcGetProgramLog) entry(nvrtcGetLoweredName) entry(nvrtcGetCUBINSize) \
    entry(nvrtcGetCUBIN)
// clang-format on

/// The first word of every build identity.
inline constexpr std::string_view identity_prefix = "nvrtc ";

/// An opened NVRTC library: its functions, version, path and identity.
struct Nvrtc::Library {
#define REDTUNE_NVRTC_MEMBER(name) decltype(&::name) name = nullptr;
    REDTUNE_NVRTC_ENTRIES(REDTUNE_NVRTC_MEMBER)
#undef REDTUNE_NVRTC_MEMBER

    int major = 0;
    int minor = 0;
    std::filesystem::path path;
    std::string identity;

    /// Opens one of nvrtc_candidates(), and the builtins library in the same folder. Returns null if NVRTC cannot be
    /// opened; `reason` then says why.
    static std::unique_ptr<const Library> open(const std::string& candidate, std::string& reason);
};

}  // namespace redtune::gpu
