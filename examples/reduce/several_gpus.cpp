// One reducer and one thread for each GPU.
#include <thread>

#include "check.h"

int main() {
    int gpus = 0;
    check(cudaGetDeviceCount(&gpus));
    std::vector<std::thread> threads;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        threads.emplace_back([gpu] {
            check(cudaSetDevice(gpu));  // a reducer belongs to the device that is current when it is made
            constexpr std::size_t n = 200'000;
            DeviceArray<int> input(std::vector<int>(n, gpu + 1));
            DeviceArray<int> output(1);
            redtune::Reducer sum(redtune::make_problem("sum", redtune::Type::i32));
            check(sum.reduce(input.data(), n, output.data(), nullptr));
            expect("sum", output.values()[0], static_cast<double>(n) * (gpu + 1));
        });
    }
    for (std::thread& thread : threads) thread.join();
}
