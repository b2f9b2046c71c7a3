#include "redtune/reducer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "redtune/error.h"
#include "tests/runtime/simulated_stream.h"

namespace redtune::runtime {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using ReducerTest = RuntimeTest;

TEST_F(ReducerTest, ReducesAnySize) {
    Reducer sum(sum_f32(), shipped_options());
    const SimulatedStream stream;
    for (const std::uint64_t n : {0U, 1U, 1000U, 70'001U, 1'048'576U}) {
        const std::vector<float> input = ones(n + 1);
        float result = -1;
        ASSERT_EQ(sum.reduce(input.data(), n, &result, stream), CallStatus::ok) << last_error();
        EXPECT_EQ(result, static_cast<float>(n));
    }
}

TEST_F(ReducerTest, ReducesRows) {
    Problem problem = sum_f32();
    problem.row_length = 1000;
    Reducer sums(problem, shipped_options());
    std::vector<float> input(3000);
    std::iota(input.begin(), input.end(), 0.0F);
    std::vector<float> result(3);
    ASSERT_EQ(sums.reduce(input.data(), 3000, result.data(), nullptr), CallStatus::ok) << last_error();
    EXPECT_THAT(result, testing::ElementsAre(499'500.0F, 1'499'500.0F, 2'499'500.0F));
    EXPECT_EQ(sums.reduce(input.data(), 2999, result.data(), nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("multiple of the row length"));
}

/// Returns the problem of summing the columns of matrices.
Problem column_sums(std::uint64_t columns) {
    Problem problem = sum_f32();
    problem.columns = columns;
    return problem;
}

TEST_F(ReducerTest, ReducesColumns) {
    Reducer sums(column_sums(3), shipped_options());
    std::vector<float> input(3000);
    std::iota(input.begin(), input.end(), 0.0F);
    std::vector<float> result(3);
    ASSERT_EQ(sums.reduce(input.data(), 3000, result.data(), nullptr), CallStatus::ok) << last_error();
    EXPECT_THAT(result, testing::ElementsAre(1'498'500.0F, 1'499'500.0F, 1'500'500.0F));
    ASSERT_EQ(sums.reduce(nullptr, 0, result.data(), nullptr), CallStatus::ok) << last_error();
    EXPECT_THAT(result, testing::Each(0.0F));
    EXPECT_EQ(sums.reduce(input.data(), 2999, result.data(), nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("multiple of the number of columns"));
}

TEST_F(ReducerTest, ReducesTheMiddleOfThreeExtents) {
    for (const Extents& extents : {Extents{1, 50'000, 64}, Extents{5, 700, 64}, Extents{300, 7, 64}, Extents{3, 0, 64},
                                   Extents{4, 1000, 31}, Extents{2, 3, 1000}}) {
        Reducer sums(column_sums(extents.inner), shipped_options());
        std::vector<float> input(extents.n());
        for (std::uint64_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i % 13);
        std::vector<float> expected(extents.results());
        for (std::uint64_t i = 0; i < input.size(); ++i) {
            expected[i / (extents.reduced * extents.inner) * extents.inner + i % extents.inner] += input[i];
        }
        std::vector<float> result(extents.results(), -1);
        ASSERT_EQ(sums.reduce(input.data(), extents, result.data(), nullptr), CallStatus::ok) << last_error();
        EXPECT_EQ(result, expected) << extents.outer << " x " << extents.reduced << " x " << extents.inner;
    }
}

TEST_F(ReducerTest, ReducesMatricesWithTheConfigurationOfAWideOne) {
    const Extents extents{24, 100, 512};
    ReducerOptions options = shipped_options();
    options.matrices = extents.outer;
    Reducer sums(column_sums(extents.inner), options);
    const auto match = sums.configuration(extents);
    ASSERT_TRUE(match);
    EXPECT_EQ(match->columns, 4096U) << "of the tuned numbers of columns, the nearest to 24 x 512";
    EXPECT_EQ(match->plan.steps[0].columns, extents.inner);
    sums.prepare(extents.n());

    std::vector<float> input(extents.n());
    for (std::uint64_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i % 13);
    for (const std::uint64_t outer : {24U, 3U, 1U}) {
        const Extents some{outer, extents.reduced, extents.inner};
        std::vector<float> expected(some.results());
        for (std::uint64_t i = 0; i < some.n(); ++i) {
            expected[i / (some.reduced * some.inner) * some.inner + i % some.inner] += input[i];
        }
        std::vector<float> result(some.results(), -1);
        ASSERT_EQ(sums.reduce(input.data(), some, result.data(), nullptr), CallStatus::ok) << last_error();
        EXPECT_EQ(result, expected) << outer << " matrices";
    }
}

TEST_F(ReducerTest, ChoosesForOneMatrixIfRowsAreShort) {
    ReducerOptions options = shipped_options();
    options.matrices = 1000;
    const Extents extents{1000, 64, 8};
    const Reducer of_many(column_sums(extents.inner), options);
    const Reducer of_one(column_sums(extents.inner), shipped_options());
    ASSERT_TRUE(of_many.configuration(extents));
    EXPECT_TRUE(
        std::ranges::equal(of_many.configuration(extents)->parameters, of_one.configuration(extents)->parameters));
    EXPECT_EQ(of_many.workspace_bytes(), of_one.workspace_bytes());
}

TEST_F(ReducerTest, RefusesExtentsOfAnotherShape) {
    std::vector<float> data(64);
    const auto status = [&](const Problem& problem, const Extents& extents) {
        return Reducer(problem, shipped_options()).reduce(data.data(), extents, data.data(), nullptr);
    };
    EXPECT_EQ(status(column_sums(4), {2, 2, 8}), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("number of columns"));
    EXPECT_EQ(status(column_sums(4), {0, 2, 4}), CallStatus::invalid_argument);
    EXPECT_EQ(status(sum_f32(), {2, 8, 1}), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("need a problem of columns"));
    EXPECT_EQ(status(sum_f32(), {1, 64, 1}), CallStatus::ok) << last_error();
    Problem rows = sum_f32();
    rows.row_length = 8;
    EXPECT_EQ(status(rows, {4, 8, 1}), CallStatus::ok) << last_error();
    EXPECT_EQ(status(rows, {8, 4, 1}), CallStatus::invalid_argument);
    rows.columns = 8;
    EXPECT_THROW(Reducer(rows, shipped_options()), InputError) << "rows and columns";
}

TEST_F(ReducerTest, UsesTheConfigurationOfTheCatalog) {
    Reducer sum(sum_f32(), shipped_options());
    for (const std::uint64_t n : {1024U, 65'536U, 100'000U, 33'554'432U}) {
        const auto match = sum.configuration(n);
        ASSERT_TRUE(match);
        const auto expected = shipped_catalog().find(sum_f32(), n, "NVIDIA H200");
        EXPECT_EQ(match->family, expected->family);
        EXPECT_EQ(match->plan.launches()[0].grid, expected->plan.launches()[0].grid);
    }
}

TEST_F(ReducerTest, RefusesWrongPointers) {
    Reducer sum(sum_f32(), shipped_options());
    const std::vector<float> input = ones(8);
    const char* unaligned = reinterpret_cast<const char*>(input.data()) + 1;
    float result = 0;
    EXPECT_EQ(sum.reduce(nullptr, 4, &result, nullptr), CallStatus::invalid_argument);
    EXPECT_EQ(sum.reduce(input.data(), 4, nullptr, nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("must not be null"));
    EXPECT_EQ(sum.reduce(unaligned, 4, &result, nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("not aligned"));
    EXPECT_EQ(sum.reduce({input.data(), input.data()}, 4, &result, nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("reads one array"));
    Reducer dot(make_problem("dot", Type::f32), shipped_options());
    EXPECT_EQ(dot.reduce(input.data(), 4, &result, nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("reads two arrays"));
}

TEST_F(ReducerTest, TakesTheCallersWorkspace) {
    Reducer sum(sum_f32(), shipped_options(0));
    EXPECT_GE(sum.workspace_bytes(), sum.workspace_zeroed_bytes());
    CUdeviceptr memory = 0;
    cuMemAlloc(&memory, sum.workspace_bytes());
    cuMemsetD8Async(memory, 0, sum.workspace_zeroed_bytes(), nullptr);
    const Workspace workspace{reinterpret_cast<void*>(memory), sum.workspace_bytes()};
    const std::vector<float> input = ones(100'000);
    float result = 0;
    ASSERT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr, workspace), CallStatus::ok) << last_error();
    EXPECT_EQ(result, 100'000.0F);

    const Workspace small{workspace.memory, workspace.bytes - 1};
    EXPECT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr, small), CallStatus::workspace_too_small);
    const Workspace unaligned{static_cast<char*>(workspace.memory) + 8, workspace.bytes};
    EXPECT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr, unaligned), CallStatus::invalid_argument);
    EXPECT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr), CallStatus::out_of_workspaces) << "it has no pool";
    cuMemFree(memory);
}

TEST_F(ReducerTest, APinnedConfigurationServesEverySize) {
    Reducer sum(sum_f32(), shipped_options());
    sum.pin("tile_per_block", {{"block", std::int64_t{128}},
                               {"unroll", std::int64_t{4}},
                               {"vector_bytes", std::int64_t{16}},
                               {"finish", std::string("publish")}});
    for (const std::uint64_t n : {100U, 70'001U, 1'048'576U}) {
        const std::vector<float> input = ones(n);
        float result = 0;
        ASSERT_EQ(sum.reduce(input.data(), n, &result, nullptr), CallStatus::ok) << last_error();
        EXPECT_EQ(result, static_cast<float>(n));
        EXPECT_EQ(sum.configuration(n)->family, "tile_per_block");
    }
    EXPECT_THAT([&] { sum.pin("no_such_family", {}); }, ThrowsMessage<InputError>(HasSubstr("no family")));
    EXPECT_THAT(
        [&] {
            sum.pin("tile_per_block", {{"block", std::int64_t{7}}});
        },
        ThrowsMessage<InputError>(HasSubstr("no block=7; allowed are 32, 64")));
}

TEST_F(ReducerTest, APinThatIsRefusedChangesNothing) {
    Reducer sum(sum_f32(), shipped_options());
    const std::string before(sum.configuration(1000)->family);
    const auto pin = [&](const char* family, const std::vector<Parameter>& parameters) {
        return [&sum, family, parameters] { sum.pin(family, parameters); };
    };
    EXPECT_THAT(pin("tile_per_block", {{"block", std::int64_t{128}}}),
                ThrowsMessage<InputError>(HasSubstr("needs a value for its parameter 'unroll'")));
    // A kernel for rows, of which this problem has none.
    EXPECT_THAT(pin("rows_split", {{"block", std::int64_t{128}},
                                   {"unroll", std::int64_t{1}},
                                   {"vector_bytes", std::int64_t{4}},
                                   {"blocks_per_row", std::int64_t{2}}}),
                ThrowsMessage<InputError>(HasSubstr("is not legal on NVIDIA H200")));
    EXPECT_EQ(sum.configuration(1000)->family, before);
}

TEST_F(ReducerTest, KeepsTheConstraints) {
    ReducerOptions options = shipped_options();
    options.select.max_workspace_bytes = 256;
    Reducer sum(sum_f32(), options);
    EXPECT_EQ(sum.workspace_bytes(), 256U);
    const auto match = sum.configuration(1 << 20);
    ASSERT_TRUE(match) << sum.why_not(1 << 20);
    EXPECT_LE(match->plan.workspace_bytes, 256U);
}

TEST_F(ReducerTest, NeedsTheContextThatItWasMadeIn) {
    simulated_driver::set_device_count(2);
    Reducer sum(sum_f32(), shipped_options());
    const std::vector<float> input = ones(8);
    float result = 0;
    use_device(1);
    EXPECT_EQ(sum.reduce(input.data(), 8, &result, nullptr), CallStatus::wrong_context);
    Reducer other(sum_f32(), shipped_options());
    EXPECT_EQ(other.reduce(input.data(), 8, &result, nullptr), CallStatus::ok);
    use_device(0);
    EXPECT_EQ(sum.reduce(input.data(), 8, &result, nullptr), CallStatus::ok);
}

TEST_F(ReducerTest, WithoutAContextTakesDevice0) {
    cuCtxSetCurrent(nullptr);
    Reducer sum(sum_f32(), shipped_options());
    const std::vector<float> input = ones(8);
    float result = 0;
    EXPECT_EQ(sum.reduce(input.data(), 8, &result, nullptr), CallStatus::ok);
}

TEST_F(ReducerTest, AnAbortedCallLeavesItsWorkspaceZero) {
    Reducer sum(sum_f32(), shipped_options());
    // Two kernels, of which the second one fails.
    sum.pin("tile_per_block", {{"block", std::int64_t{128}},
                               {"unroll", std::int64_t{4}},
                               {"vector_bytes", std::int64_t{16}},
                               {"finish", std::string("two_kernel")}});
    const std::vector<float> input = ones(100'000);
    float result = 0;
    ASSERT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr), CallStatus::ok);
    ASSERT_EQ(simulated_driver::counts().launches, 2U);
    simulated_driver::fail_after(1);
    EXPECT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr), CallStatus::device_error);
    EXPECT_THAT(last_error(), HasSubstr("launch a kernel"));
    EXPECT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr), CallStatus::ok);
    simulated_driver::fail_after(0);
    EXPECT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr), CallStatus::device_error);
    EXPECT_EQ(sum.reduce(input.data(), 100'000, &result, nullptr), CallStatus::ok);
}

}  // namespace
}  // namespace redtune::runtime
