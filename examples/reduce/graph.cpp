// Records a reduction in a CUDA graph, and launches the graph with new values.
#include "check.h"

int main() {
    constexpr std::size_t n = 100'000;
    DeviceArray<float> input(n);
    DeviceArray<float> output(1);
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream));

    redtune::Reducer largest(redtune::make_problem("max", redtune::Type::f32));
    largest.prepare(n);  // before the capture: nothing may be compiled or loaded in it

    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(largest.reduce(input.data(), n, output.data(), stream));
    check(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph, 0));

    for (float value : {1.0F, 2.0F, 3.0F}) {
        const std::vector<float> values(n, value);
        check(cudaMemcpyAsync(input.data(), values.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
        check(cudaGraphLaunch(executable, stream));
        expect("max", output.values()[0], value);
    }
    // The reducer's workspace returns to its pool when the graph is gone.
    check(cudaGraphExecDestroy(executable));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
}
