// Reduces with an operator from a file: own_operator ../sum_of_cubes.cuh
#include "check.h"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: own_operator FILE, for example: own_operator ../sum_of_cubes.cuh\n");
        return 2;
    }
    constexpr std::size_t n = 50'000;
    DeviceArray<float> input(std::vector<float>(n, 2.0F));
    DeviceArray<float> output(1);

    redtune::ReducerOptions options;
    options.operator_file = argv[1];
    redtune::Reducer cubes(redtune::Reducer::problem_of(argv[1], redtune::Type::f32), options);
    check(cubes.reduce(input.data(), n, output.data(), nullptr));
    expect("sum of cubes", output.values()[0], 8.0 * n);
}
