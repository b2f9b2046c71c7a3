// The two reductions of a softmax over the rows of a matrix: the largest value of each row, and the sum of each row.
#include "check.h"

int main() {
    constexpr std::size_t rows = 4096;
    constexpr std::size_t length = 1000;
    std::vector<float> matrix(rows * length);
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<float>(i % length == i / length % length);
    DeviceArray<float> input(matrix);
    DeviceArray<float> maxima(rows);
    DeviceArray<float> sums(rows);

    redtune::Problem problem = redtune::make_problem("max", redtune::Type::f32);
    problem.row_length = length;
    redtune::Reducer row_max(problem);
    problem = redtune::make_problem("sum", redtune::Type::f32);
    problem.row_length = length;
    redtune::Reducer row_sum(problem);

    check(row_max.reduce(input.data(), rows * length, maxima.data(), nullptr));
    check(row_sum.reduce(input.data(), rows * length, sums.data(), nullptr));
    expect("max of row 17", maxima.values()[17], 1);
    expect("sum of row 4000", sums.values()[4000], 1);
}
