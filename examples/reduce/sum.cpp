// Sums floats in a stream of the CUDA runtime.
#include "check.h"

int main() {
    constexpr std::size_t n = 1'000'003;
    DeviceArray<float> input(std::vector<float>(n, 1.0F));
    DeviceArray<float> output(1);
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream));

    redtune::Reducer sum(redtune::make_problem("sum", redtune::Type::f32));  // once
    sum.prepare(1, n);  // optional: without it, the first call for a size loads its kernel

    check(sum.reduce(input.data(), n, output.data(), stream));          // enqueues, and waits for nothing
    check(sum.reduce(input.data() + 1, n - 1, output.data(), stream));  // any size and alignment
    expect("sum", output.values()[0], n - 1);

    sum.release(stream);
    check(cudaStreamDestroy(stream));
}
