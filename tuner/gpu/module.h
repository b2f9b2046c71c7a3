#pragma once

#include <string>
#include <string_view>

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// Machine code loaded into the current context. Its functions are valid as long as the module lives.
class Module {
  public:
    /// Loads a cubin, which must be for the device's architecture. The driver copies it.
    /// @throws DeviceError if it is not a cubin, or is for another architecture.
    explicit Module(std::string_view cubin);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    /// Returns the kernel with this lowered (mangled) name. The kernel is loaded on return, so that its first launch
    /// takes no longer than later ones.
    /// @throws DeviceError if the module has no kernel of this name.
    CUfunction function(const std::string& lowered_name) const;

    /// Opts a kernel in to launches beyond the default limits: more than 48 KiB of static and dynamic shared memory per
    /// block, and clusters of more than 8 blocks.
    /// @throws DeviceError if the device does not support that much.
    static void allow_launches(CUfunction function, std::uint32_t shared_bytes, std::uint32_t cluster);

  private:
    CUmodule module_ = nullptr;
};

}  // namespace redtune::gpu
