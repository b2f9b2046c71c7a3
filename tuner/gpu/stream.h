#pragma once

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// A non-blocking stream of the current context. Every call can throw DeviceError.
class Stream {
  public:
    Stream();
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    CUstream handle() const noexcept { return stream_; }
    /// Waits until all enqueued work is done. Throws if any of it failed.
    void synchronize() const;

  private:
    CUstream stream_ = nullptr;
};

/// Waits until all work enqueued on the stream is done.
void synchronize(CUstream stream);

/// A CUDA event with a time stamp. Every call can throw DeviceError.
class Event {
  public:
    Event();
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    CUevent handle() const noexcept { return event_; }
    void record(CUstream stream);
    /// Waits until the stream has reached the last record().
    void synchronize() const;

  private:
    CUevent event_ = nullptr;
};

/// Returns the time between two events in microseconds, with a resolution of about 0.5 us.
/// @throws DeviceError if the stream has not reached both.
double elapsed_us(const Event& start, const Event& end);

}  // namespace redtune::gpu
