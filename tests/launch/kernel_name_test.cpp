#include "tuner/launch/kernel_name.h"

#include <gtest/gtest.h>

#include "tuner/core/operator.h"
#include "tuner/jit/source_set.h"

namespace redtune::launch {
namespace {

TEST(KernelName, ElementTypesAreThoseOfDeviceCode) {
    EXPECT_EQ(device_type(Type::f16), "redtune::Half");
    EXPECT_EQ(device_type(Type::bf16), "redtune::BFloat16");
    EXPECT_EQ(device_type(Type::f32), "float");
    EXPECT_EQ(device_type(Type::f64), "double");
    for (const char* name : {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"}) {
        EXPECT_EQ(device_type(parse_type(name)), std::string("redtune::") + name);
    }
}

TEST(KernelName, ProblemsAreAnOperatorAndItsTypes) {
    EXPECT_EQ(device_problem(make_problem("sum", Type::f32)),
              "redtune::Problem<redtune::Sum<float, float, float>, float, float, float>");
    EXPECT_EQ(device_problem(make_problem("sum_of_squares", Type::f16, Type::f64, Type::f16)),
              "redtune::Problem<redtune::SumOfSquares<redtune::Half, double, redtune::Half>, redtune::Half, double, "
              "redtune::Half>");
    EXPECT_EQ(device_problem(make_problem("any", Type::bf16)),
              "redtune::Problem<redtune::Any<redtune::BFloat16, redtune::u32, redtune::u8>, redtune::BFloat16, "
              "redtune::u32, redtune::u8>");
}

TEST(KernelName, IndexedOperatorsCombinePairs) {
    EXPECT_EQ(device_accumulator(make_problem("argmin", Type::f16)), "redtune::Indexed<float>");
    EXPECT_EQ(device_problem(make_problem("argmin", Type::f32)),
              "redtune::Problem<redtune::Argmin<float, redtune::Indexed<float>, redtune::u64>, float, "
              "redtune::Indexed<float>, redtune::u64>");
}

TEST(KernelName, ExtremesOfHalvesCombineKeys) {
    EXPECT_EQ(device_accumulator(make_problem("min", Type::f16)), "redtune::HalfKey");
    EXPECT_EQ(device_accumulator(make_problem("max", Type::bf16)), "redtune::HalfKey");
    EXPECT_EQ(device_accumulator(make_problem("max", Type::f32)), "float");
    EXPECT_EQ(device_accumulator(make_problem("max", Type::i16)), "redtune::i32");
}

TEST(KernelName, AUsersOperatorIsNamedLikeOneOfOurs) {
    Problem problem;
    problem.op = "sum_of_cubes";
    problem.input = Type::i32;
    problem.accumulator = problem.output = Type::i64;
    EXPECT_EQ(device_problem(problem),
              "redtune::Problem<redtune::SumOfCubes<redtune::i32, redtune::i64, redtune::i64>, redtune::i32, "
              "redtune::i64, redtune::i64>");
}

TEST(KernelName, ShapeAndArraysAreNoPartOfACompile) {
    Problem rows = make_problem("dot", Type::f32);
    const std::string whole = device_problem(rows);
    rows.row_length = 32;
    rows.destructive = true;
    rows.determinism = Determinism::run_to_run;
    EXPECT_EQ(device_problem(rows), whole);
}

TEST(KernelName, EveryOperatorsStructIsInTheDeviceCode) {
    const jit::SourceSet sources = jit::SourceSet::load();
    const std::string code = sources.text("kernels_src/arithmetic_operators.cuh") +
                             sources.text("kernels_src/logical_operators.cuh") +
                             sources.text("kernels_src/order_operators.cuh");
    for (const std::string& op : operator_names()) {
        EXPECT_NE(code.find("struct " + device_name_of_operator(op) + " "), std::string::npos) << op;
    }
}

TEST(KernelName, AKernelThatLoadsTheCountIncludesItsHeaderFirst) {
    Family family;
    family.kernel = "grid_stride";
    family.path = "templates/grid_stride.cuh";
    family.parameters = {{"block", {}, true}};
    const Configuration configuration{"grid_stride", {{"block", std::int64_t{256}}}};
    const LaunchRule rule;
    const Problem problem = make_problem("sum", Type::f32);
    const KernelRequest request(configuration, rule, CountPlace::device_memory);
    const std::string counted = "redtune::CountedOnDevice<" + device_problem(problem) + ">";
    const auto expression = [&](KernelRole role) { return kernel_name(family, problem, request, role).expression; };
    EXPECT_EQ(expression(KernelRole::first), "redtune::grid_stride<" + counted + ", 256>");
    EXPECT_EQ(expression(KernelRole::repeat), "redtune::grid_stride<redtune::PartialsOf<" + counted + ">, 256>");
    EXPECT_EQ(expression(KernelRole::combine_partials), "redtune::combine_partials<" + counted + ", 512>");
    for (const KernelRole role : {KernelRole::first, KernelRole::repeat, KernelRole::combine_partials}) {
        EXPECT_EQ(kernel_name(family, problem, request, role).included_first, "kernels_src/device_count.cuh");
    }
    EXPECT_EQ(kernel_name(family, problem, {configuration, rule}, KernelRole::first).included_first, "");
}

TEST(KernelName, EachRoleIsAKernelOfItsOwn) {
    Family family;
    family.name = "unrolling2";
    family.kernel = "unrolling";
    family.path = "templates/unrolling.cuh";
    family.parameters = {{"block", {}, true}, {"unroll", {}, true}, {"blocks_per_sm", {}, false}};
    const Configuration configuration{
        "unrolling2", {{"block", std::int64_t{256}}, {"unroll", std::int64_t{2}}, {"blocks_per_sm", 0.5}}};
    LaunchRule rule;
    const Problem problem = make_problem("sum", Type::f32);
    const std::string of = device_problem(problem);

    const jit::KernelName first = kernel_name(family, problem, {configuration, rule}, KernelRole::first);
    EXPECT_EQ(first.source, "templates/unrolling.cuh");
    EXPECT_EQ(first.expression, "redtune::unrolling<" + of + ", 256, 2>")
        << "the file's kernel, not the variant's name";
    EXPECT_EQ(kernel_name(family, problem, {configuration, rule}, KernelRole::repeat).expression,
              "redtune::unrolling<redtune::PartialsOf<" + of + ">, 256, 2>");
    const jit::KernelName combine = kernel_name(family, problem, {configuration, rule}, KernelRole::combine_partials);
    EXPECT_EQ(combine.source, "kernels_src/finish.cuh");
    EXPECT_EQ(combine.expression, "redtune::combine_partials<" + of + ", 512>");

    rule.grid = GridRule::rows;
    EXPECT_EQ(kernel_name(family, problem, {configuration, rule}, KernelRole::combine_partials).expression,
              "redtune::combine_partials<" + of + ", " + std::to_string(combine_block(rule)) + ">");
}

TEST(KernelName, AFamilyWithoutCompileParametersTakesTheProblemAlone) {
    Family family;
    family.kernel = family.name = "plain";
    const Problem problem = make_problem("sum", Type::f32);
    EXPECT_EQ(kernel_name(family, problem, {Configuration{"plain", {}}, LaunchRule{}}, KernelRole::first).expression,
              "redtune::plain<" + device_problem(problem) + ">");
}

}  // namespace
}  // namespace redtune::launch
