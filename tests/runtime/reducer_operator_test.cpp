// Tests a Reducer with an operator of the user's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "redtune/error.h"
#include "redtune/reducer.h"
#include "tests/runtime/simulated_stream.h"
#include "tests/support/source_path.h"

namespace redtune::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

using ReducerOperatorTest = RuntimeTest;

TEST_F(ReducerOperatorTest, AUsersOperatorComesFromAFile) {
    const std::string file = test::source_path("examples/sum_of_cubes.cuh");
    const Problem problem = Reducer::problem_of(file, Type::f32);
    ReducerOptions options = shipped_options();
    options.operator_file = file;
    Reducer cubes(problem, options);
    EXPECT_NO_THROW(cubes.prepare(1000));
    const std::vector<float> input = ones(1000);
    float result = 0;
    EXPECT_EQ(cubes.reduce(input.data(), 1000, &result, nullptr), CallStatus::ok) << last_error();
    options.operator_file = "/nonexistent/operator.cuh";
    EXPECT_THROW(Reducer(problem, options), InputError);
}

/// An operator that occurs in no file.
const std::string sum_of_halves = R"(
/*redtune
operator = "sum_of_halves"
[types]
f32 = ["f32", "f32"]
*/
#include "kernels_src/operators.cuh"

namespace redtune {

template <class Input, class Accumulator, class Output>
struct SumOfHalves : Elementwise {
    static __device__ Accumulator identity() { return Accumulator(0); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x) / 2; }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return add(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

}  // namespace redtune
)";

TEST_F(ReducerOperatorTest, AUsersOperatorComesFromText) {
    const Problem problem = Reducer::problem_of_source(sum_of_halves, Type::f32);
    EXPECT_EQ(problem.op, "sum_of_halves");
    ReducerOptions options = shipped_options();
    options.operator_source = sum_of_halves;
    Reducer halves(problem, options);
    EXPECT_NO_THROW(halves.prepare(1000));
    EXPECT_NO_THROW(halves.prepare_device_count(1000));
    const std::vector<float> input = ones(1000);
    float result = 0;
    EXPECT_EQ(halves.reduce(input.data(), 1000, &result, nullptr), CallStatus::ok) << last_error();
}

TEST_F(ReducerOperatorTest, MistakesInTheTextOfAnOperatorAreFoundAtTheirLines) {
    EXPECT_THAT([] { Reducer::problem_of_source(sum_of_halves, Type::f64); },
                ThrowsMessage<InputError>("sum_of_halves has no input type f64; its source has f32"));
    const Problem problem = Reducer::problem_of_source(sum_of_halves, Type::f32);
    const auto prepare = [&](const char* old_text, const char* new_text) {
        ReducerOptions options = shipped_options();
        options.operator_source = sum_of_halves;
        options.operator_source.replace(sum_of_halves.find(old_text), std::string(old_text).size(), new_text);
        return [&problem, options] { Reducer(problem, options).prepare(1000); };
    };
    EXPECT_THAT(prepare("[types]", "[tipes]"),
                ThrowsMessage<InputError>(AllOf(StartsWith("operator_source:4: "), HasSubstr("did you mean 'types'"))));
    EXPECT_THAT(prepare("/*redtune", "/*"), ThrowsMessage<InputError>(AllOf(StartsWith("operator_source:1: "),
                                                                            HasSubstr("the source of an operator"))));
    EXPECT_THAT(prepare("add(a, b)", "plus(a, b)"),
                ThrowsMessage<CompileError>(HasSubstr("operator_source(15): error")));
}

TEST_F(ReducerOperatorTest, AnOperatorIsAFileOrATextNotBoth) {
    ReducerOptions options = shipped_options();
    options.operator_file = test::source_path("examples/sum_of_cubes.cuh");
    options.operator_source = sum_of_halves;
    EXPECT_THAT([&] { const Reducer twice(Reducer::problem_of_source(sum_of_halves, Type::f32), options); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("given twice"), HasSubstr("sum_of_cubes.cuh"))));
}

}  // namespace
}  // namespace redtune::runtime
