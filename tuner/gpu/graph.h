#pragma once

#include <functional>

#include "tuner/gpu/stream.h"

namespace redtune::gpu {

/// Work recorded once and replayed as a whole: one launch for the host, however many kernels.
class Graph {
  public:
    /// Runs `record`, which queues work on the stream that it is given; nothing of it is carried out. Other threads
    /// may use the device meanwhile; `record` must not allocate, load or wait. When `record` throws, the stream is
    /// usable again and the exception goes on.
    /// @throws DeviceError
    static Graph capture(Stream& stream, const std::function<void(CUstream)>& record);

    ~Graph();
    Graph(Graph&& other) noexcept;
    Graph& operator=(Graph&& other) noexcept;

    /// Sends the graph to the device ahead of its first launch, which then costs what later ones do.
    void upload(Stream& stream) const;
    /// Queues one replay. A graph does not overlap with itself.
    void launch(Stream& stream) const;

  private:
    explicit Graph(CUgraphExec exec) : exec_(exec) {}
    CUgraphExec exec_ = nullptr;
};

/// Within capture(): makes recording the event a part of the graph, so that every replay stamps it anew and
/// elapsed_us() can be asked after each.
void record_event_in_graph(Event& event, CUstream stream);

}  // namespace redtune::gpu
