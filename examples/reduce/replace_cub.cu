// A sum by CUB, and line by line the same by redtune.
#include <cub/cub.cuh>

#include "check.h"

int main() {
    constexpr std::size_t n = 3'000'001;
    DeviceArray<float> input(std::vector<float>(n, 1.0F));
    DeviceArray<float> output(1);
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream));

    // CUB: the first call returns the bytes of the workspace, the second one reduces.
    std::size_t bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, bytes, input.data(), output.data(), n, stream));
    DeviceArray<char> cub_workspace(bytes);
    check(cub::DeviceReduce::Sum(cub_workspace.data(), bytes, input.data(), output.data(), n, stream));
    expect("sum by CUB", output.values()[0], n);

    // redtune: the reducer is made once. The workspace is zeroed once, and then serves every call in this stream.
    redtune::ReducerOptions options;
    options.workspaces = 0;
    redtune::Reducer sum(redtune::make_problem("sum", redtune::Type::f32), options);
    DeviceArray<char> workspace(sum.workspace_bytes());
    check(cudaMemsetAsync(workspace.data(), 0, sum.workspace_zeroed_bytes(), stream));
    check(sum.reduce(input.data(), n, output.data(), stream, {workspace.data(), sum.workspace_bytes()}));
    expect("sum by redtune", output.values()[0], n);

    // Without a workspace of your own, the reducer takes one from its pool: one line is left.
    redtune::Reducer pooled(redtune::make_problem("sum", redtune::Type::f32));
    check(pooled.reduce(input.data(), n, output.data(), stream));
    expect("sum by redtune, with its pool", output.values()[0], n);
    pooled.release(stream);
    check(cudaStreamDestroy(stream));
}
