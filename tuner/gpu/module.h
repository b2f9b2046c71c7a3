#pragma once

#include <string>
#include <string_view>

#include "tuner/core/measurement.h"
#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// Machine code loaded on the current context's device. Its functions live as long as it does.
class Module {
  public:
    /// `cubin` is a whole cubin for the device's architecture; it is copied.
    /// @throws DeviceError if it is none, or is for another architecture.
    explicit Module(std::string_view cubin);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    /// A kernel by its lowered (mangled) name, loaded on return: a later launch loads nothing.
    /// @throws DeviceError if the module has none of this name.
    CUfunction function(const std::string& lowered_name) const;

    /// Makes launches possible that a kernel must be allowed: more than 48 KiB of shared memory per block, with what it
    /// has statically, and more than 8 blocks per cluster.
    /// @throws DeviceError if the device has not so much.
    static void allow_launches(CUfunction function, std::uint32_t shared_bytes, std::uint32_t cluster);

    /// What the driver knows of a kernel. It does not tell spills from other local memory: spill_bytes is all local
    /// memory per thread.
    static KernelResources resources(CUfunction function);

  private:
    CUmodule module_ = nullptr;
};

}  // namespace redtune::gpu
