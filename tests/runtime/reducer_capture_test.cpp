// Calls in a stream that records a graph. The simulated driver reports calls that break a capture, and a workspace that
// two graphs use at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/reducer.h"
#include "tests/runtime/simulated_stream.h"

namespace redtune::runtime {
namespace {

constexpr std::uint64_t size = 70'001;

class ReducerCaptureTest : public RuntimeTest {
  protected:
    /// Records one call in a graph and makes it executable.
    CUgraphExec record(Reducer& sum) {
        stream_.begin_capture();
        EXPECT_EQ(sum.reduce(input_.data(), size, &result_, stream_), CallStatus::ok) << last_error();
        const CUgraph graph = stream_.end_capture();
        CUgraphExec executable = nullptr;
        EXPECT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0), CUDA_SUCCESS);
        cuGraphDestroy(graph);
        return executable;
    }

    SimulatedStream stream_;
    std::vector<float> input_ = std::vector<float>(size, 1.0F);
    float result_ = 0;
};

TEST_F(ReducerCaptureTest, AGraphRepeatsTheRecordedCalls) {
    Reducer sum(sum_f32(), shipped_options());
    sum.prepare(size);
    const CUgraphExec graph = record(sum);
    EXPECT_EQ(result_, 0) << "a captured call does not run";
    for (int i = 0; i < 3; ++i) {
        result_ = 0;
        cuGraphLaunch(graph, stream_);
        EXPECT_EQ(result_, static_cast<float>(size));
    }
    cuGraphExecDestroy(graph);
}

TEST_F(ReducerCaptureTest, AnUnpreparedCallReturnsAndLeavesTheCaptureWhole) {
    Reducer sum(sum_f32(), shipped_options());
    stream_.begin_capture();
    EXPECT_EQ(sum.reduce(input_.data(), size, &result_, stream_), CallStatus::not_prepared);
    EXPECT_THAT(last_error(), testing::HasSubstr("call prepare(n) before"));
    const CUgraph graph = stream_.end_capture();
    EXPECT_NE(graph, nullptr);
    cuGraphDestroy(graph);
}

TEST_F(ReducerCaptureTest, EveryRecordedCallHasItsOwnWorkspaceUntilItsGraphIsDestroyed) {
    Reducer sum(sum_f32(), shipped_options(4));
    sum.prepare(size);
    std::vector<CUgraphExec> graphs;
    for (int i = 0; i < 4; ++i) graphs.push_back(record(sum));
    const SimulatedStream other;
    for (const CUgraphExec graph : graphs) cuGraphLaunch(graph, graph == graphs[0] ? stream_ : other);
    cuGraphLaunch(graphs[0], other);  // launches of one executable graph do not overlap, whatever the stream

    stream_.begin_capture();
    EXPECT_EQ(sum.reduce(input_.data(), size, &result_, stream_), CallStatus::out_of_workspaces);
    cuGraphDestroy(stream_.end_capture());
    cuCtxSynchronize();
    cuGraphExecDestroy(graphs[2]);
    cuGraphExecDestroy(graphs[0]);
    EXPECT_EQ(sum.reduce(input_.data(), size, &result_, stream_), CallStatus::ok) << "a stream takes one of them";
    graphs[0] = record(sum);
    cuCtxSynchronize();
    for (const int i : {3, 1, 0}) cuGraphExecDestroy(graphs[static_cast<std::size_t>(i)]);
}

TEST_F(ReducerCaptureTest, AGraphOutlivesItsReducer) {
    const std::uint64_t before = simulated_driver::counts().live_bytes;
    CUgraphExec graph = nullptr;
    {
        Reducer sum(sum_f32(), shipped_options());
        sum.prepare(size);
        graph = record(sum);
    }
    EXPECT_GT(simulated_driver::counts().live_bytes, before) << "the graph keeps the workspaces";
    cuGraphLaunch(graph, stream_);
    EXPECT_EQ(result_, static_cast<float>(size));
    cuStreamSynchronize(stream_);
    cuGraphExecDestroy(graph);
    { const Reducer next(sum_f32(), shipped_options(0)); }
    EXPECT_EQ(simulated_driver::counts().live_bytes, before) << "the next reducer frees them";
}

TEST_F(ReducerCaptureTest, TheCallersWorkspaceIsRecordedAsItIs) {
    Reducer sum(sum_f32(), shipped_options(0));
    sum.prepare(size);
    CUdeviceptr memory = 0;
    cuMemAlloc(&memory, sum.workspace_bytes());
    cuMemsetD8Async(memory, 0, sum.workspace_zeroed_bytes(), stream_);
    stream_.begin_capture();
    const Workspace workspace{reinterpret_cast<void*>(memory), sum.workspace_bytes()};
    EXPECT_EQ(sum.reduce(input_.data(), size, &result_, stream_, workspace), CallStatus::ok) << last_error();
    const CUgraph graph = stream_.end_capture();
    CUgraphExec executable = nullptr;
    cuGraphInstantiateWithFlags(&executable, graph, 0);
    cuGraphLaunch(executable, stream_);
    EXPECT_EQ(result_, static_cast<float>(size));
    cuGraphExecDestroy(executable);
    cuGraphDestroy(graph);
    cuMemFree(memory);
}

}  // namespace
}  // namespace redtune::runtime
