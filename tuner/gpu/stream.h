#pragma once

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// A stream of the current context that does not wait for the default stream. Every call throws DeviceError.
class Stream {
  public:
    Stream();
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    CUstream handle() const noexcept { return stream_; }
    /// Waits until all that was queued is done; reports what failed since.
    void synchronize() const;

  private:
    CUstream stream_ = nullptr;
};

/// Waits until all that was queued on the stream is done.
void synchronize(CUstream stream);

/// A point in a stream's work, with a time stamp. Every call throws DeviceError.
class Event {
  public:
    Event();
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    CUevent handle() const noexcept { return event_; }
    void record(CUstream stream);
    /// Waits until the stream has come past the last record().
    void synchronize() const;
    /// Whether it has. True before the first record().
    bool is_done() const;

  private:
    CUevent event_ = nullptr;
};

/// Time between two recorded events that are both done, in microseconds; the tick is about 0.5 us.
/// @throws DeviceError if one was never recorded or is not done.
double elapsed_us(const Event& start, const Event& end);

}  // namespace redtune::gpu
