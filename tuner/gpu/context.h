#pragma once

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// A device's primary context: shared with every other user of the device in the process (the CUDA runtime, another
/// Context). Buffers, streams and modules must not outlive it.
class Context {
  public:
    /// Retains the context and makes it current on the calling thread.
    /// @throws DeviceError
    explicit Context(int ordinal);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Makes it current on the calling thread: needed once on every further thread that uses the device.
    void make_current() const;
    /// Waits for everything queued on the device; reports what failed since, as DeviceError. The context must be
    /// current.
    void synchronize() const;

    int ordinal() const noexcept { return ordinal_; }

  private:
    int ordinal_;
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

}  // namespace redtune::gpu
