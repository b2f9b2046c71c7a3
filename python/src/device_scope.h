#pragma once

#include "tuner/gpu/driver.h"

namespace redtune::python {

/// Makes the primary context of a device current on the calling thread, and at its end the one that was current before.
class DeviceScope {
  public:
    /// @param device ordinal; negative: the current context, or if there is none the primary one of device 0
    /// @throws DeviceError
    explicit DeviceScope(int device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

    CUcontext context() const noexcept { return context_; }

  private:
    CUcontext context_ = nullptr;
    CUcontext previous_ = nullptr;  // null: nothing to restore
};

}  // namespace redtune::python
