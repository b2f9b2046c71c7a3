#include "tuner/gpu/graph.h"

#include <memory>
#include <type_traits>
#include <utility>

namespace redtune::gpu {

namespace {

struct DestroyGraph {
    void operator()(CUgraph graph) const noexcept { Driver::get().cuGraphDestroy(graph); }
};
using CapturedGraph = std::unique_ptr<std::remove_pointer_t<CUgraph>, DestroyGraph>;

}  // namespace

Graph Graph::capture(Stream& stream, const std::function<void(CUstream)>& record) {
    const Driver& driver = Driver::get();
    // In thread-local mode, calls of other threads neither invalidate this capture nor fail because of it.
    check(driver.cuStreamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "start recording a graph");
    const auto end = [&](CUresult& result) {
        CUgraph graph = nullptr;
        result = driver.cuStreamEndCapture(stream.handle(), &graph);
        return CapturedGraph(graph);
    };
    CUresult result = CUDA_SUCCESS;
    try {
        record(stream.handle());
    } catch (...) {
        end(result);
        throw;
    }
    const CapturedGraph graph = end(result);
    check(result, "record a graph");
    CUgraphExec exec = nullptr;
    check(driver.cuGraphInstantiateWithFlags(&exec, graph.get(), 0), "make a recorded graph executable");
    return Graph(exec);
}

Graph::~Graph() {
    if (exec_ != nullptr) Driver::get().cuGraphExecDestroy(exec_);
}

Graph::Graph(Graph&& other) noexcept : exec_(std::exchange(other.exec_, nullptr)) {}

Graph& Graph::operator=(Graph&& other) noexcept {
    std::swap(exec_, other.exec_);
    return *this;
}

void Graph::launch(Stream& stream) const {
    check(Driver::get().cuGraphLaunch(exec_, stream.handle()), "launch a graph");
}

void record_event_in_graph(Event& event, CUstream stream) {
    check(Driver::get().cuEventRecordWithFlags(event.handle(), stream, CU_EVENT_RECORD_EXTERNAL),
          "record an event in a graph");
}

}  // namespace redtune::gpu
