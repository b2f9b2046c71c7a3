#pragma once

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// A device's primary context, which is shared with every other user of the device in the process (the CUDA runtime,
/// another Context). Buffers, streams and modules must not outlive it. A context is current on one thread only, so
/// every thread that uses the device must construct its own Context.
class Context {
  public:
    /// Retains the context and makes it current on the calling thread.
    /// @throws DeviceError
    explicit Context(int ordinal);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Makes the context current on the calling thread.
    /// @throws DeviceError
    void make_current() const;

    /// Waits for all work enqueued on the device. The context must be current.
    /// @throws DeviceError if any of that work failed
    void synchronize() const;

  private:
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

/// The context that is current on the thread that constructs the object, for other threads. The context must exist
/// while they use it.
class CurrentContext {
  public:
    /// @throws DeviceError
    CurrentContext();

    /// Makes the context current on the calling thread.
    /// @throws DeviceError
    void make_current() const;

  private:
    CUcontext context_ = nullptr;
};

}  // namespace redtune::gpu
