#pragma once

#include <functional>

#include "tuner/gpu/stream.h"

namespace redtune::gpu {

/// A CUDA graph: work captured once and launched as a whole, at the cost of one launch on the host.
class Graph {
  public:
    /// Captures the work that `record` enqueues on the stream that it is given; none of it is executed. `record` must
    /// not allocate device memory, load modules or synchronise; other threads may do so. If `record` throws, the
    /// capture is ended, the stream can be used again, and the exception is passed on.
    /// @throws DeviceError
    static Graph capture(Stream& stream, const std::function<void(CUstream)>& record);

    ~Graph();
    Graph(Graph&& other) noexcept;
    Graph& operator=(Graph&& other) noexcept;

    /// Enqueues one launch of the graph. Launches of the same graph do not overlap.
    void launch(Stream& stream) const;

  private:
    explicit Graph(CUgraphExec exec) : exec_(exec) {}
    CUgraphExec exec_ = nullptr;
};

/// Records an event from within capture(), as a node of the graph: every launch of the graph overwrites the event's
/// time, so elapsed_us() can be called after each launch.
void record_event_in_graph(Event& event, CUstream stream);

}  // namespace redtune::gpu
