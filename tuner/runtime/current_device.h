#pragma once

#include <optional>

#include "redtune/device.h"
#include "tuner/gpu/context.h"
#include "tuner/gpu/driver.h"

namespace redtune::runtime {

/// The CUDA context that is current on this thread, and its device. If no context is current, the primary context of
/// device 0 becomes current and stays retained, as with the CUDA runtime.
class CurrentDevice {
  public:
    /// @throws DeviceError if there is no driver or no device
    CurrentDevice();

    const DeviceInfo& info() const noexcept { return info_; }
    const std::string& driver_version() const noexcept { return driver_version_; }
    CUcontext context() const noexcept { return context_; }
    /// Returns whether the context is current on the calling thread.
    bool is_current() const noexcept;

  private:
    std::optional<gpu::Context> primary_;  // only if no context was current
    CUcontext context_ = nullptr;
    DeviceInfo info_;
    std::string driver_version_;
};

}  // namespace redtune::runtime
