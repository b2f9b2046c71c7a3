#include "redtune/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "redtune/error.h"

namespace redtune {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Problem, NamesRoundTrip) {
    for (const std::string& name : type_names()) EXPECT_EQ(to_string(parse_type(name)), name);
    for (const char* name : {"cold", "warm", "back_to_back"}) EXPECT_EQ(to_string(parse_regime(name)), name);
    for (const char* name : {"any", "run_to_run"}) EXPECT_EQ(to_string(parse_determinism(name)), name);
}

TEST(Problem, SizesOfTypesMatchTheirNames) {
    EXPECT_EQ(type_names().size(), 12U);
    for (const std::string& name : type_names()) {
        const std::string bits = name.substr(name.find_first_of("0123456789"));
        EXPECT_EQ(8 * size_of(parse_type(name)), std::stoul(bits)) << name;
    }
}

TEST(Problem, ErrorsForUnknownNamesListTheAllowedOnes) {
    EXPECT_THAT([] { parse_type("f31"); },
                ThrowsMessage<InputError>("there is no type 'f31'; allowed are i8, u8, i16, u16, i32, u32, i64, u64, "
                                          "f16, bf16, f32, f64; did you mean 'f32'?"));
    EXPECT_THAT([] { parse_regime("tepid"); },
                ThrowsMessage<InputError>(HasSubstr("allowed are cold, warm, back_to_back")));
    EXPECT_THAT([] { parse_determinism("some"); }, ThrowsMessage<InputError>(HasSubstr("any, run_to_run")));
}

TEST(Problem, SumsReturnTheInputType) {
    const Problem problem = make_problem("sum", Type::i32);
    EXPECT_EQ(problem.accumulator, Type::i32);
    EXPECT_EQ(problem.output, Type::i32);
    EXPECT_EQ(shape_name(problem), "whole");
    EXPECT_EQ(make_problem("sum", Type::f32), Problem());
}

TEST(Problem, ShapesRoundTrip) {
    EXPECT_EQ(parse_shape("whole"), Shape());
    EXPECT_EQ(parse_shape("rows:2"), Shape{.row_length = 2});
    EXPECT_EQ(parse_shape("rows:1Ki"), Shape{.row_length = 1024});
    EXPECT_EQ(parse_shape("columns:1"), Shape{.columns = 1});
    EXPECT_EQ(parse_shape("columns:1Ki"), Shape{.columns = 1024});
    for (const std::uint64_t unit : {std::uint64_t{2}, std::uint64_t{33}, std::uint64_t{1} << 40}) {
        for (const Shape& shape : {Shape(), Shape{.row_length = unit}, Shape{.columns = unit}}) {
            const Problem problem = with_shape(make_problem("dot", Type::f16), shape);
            EXPECT_EQ(shape_of(problem), shape);
            EXPECT_EQ(parse_shape(shape_name(problem)), shape) << shape_name(problem);
            EXPECT_EQ(problem.op, "dot");
        }
    }
}

TEST(Problem, OtherShapesAreRejected) {
    for (const char* text : {"", "Whole", "whole ", "row:32", "rows", "rows32", "32", "rows:0", "rows:1", "column:4",
                             "columns", "columns:0"}) {
        EXPECT_THAT([&] { parse_shape(text); },
                    ThrowsMessage<InputError>(AllOf(HasSubstr("'rows:LENGTH'"), HasSubstr("'columns:COUNT'"),
                                                    HasSubstr("'" + std::string(text) + "'"))))
            << text;
    }
    for (const char* text :
         {"rows:", "rows:x", "rows:-4", "rows:3.5", "rows:32 ", "rows:99999999999999999999", "columns:", "columns:x"}) {
        EXPECT_THROW(parse_shape(text), InputError) << text;
    }
}

TEST(Problem, CountsBytesOfAllArraysAndResultsOfAllRows) {
    Problem problem = make_problem("dot", Type::f16);
    EXPECT_EQ(bytes_read(problem, 1000), 4000U);
    EXPECT_EQ(result_count(problem, 1000), 1U);
    EXPECT_EQ(result_count(problem, 0), 1U) << "an empty array has one result";
    problem.row_length = 40;
    EXPECT_EQ(bytes_read(problem, 1000), 4000U);
    EXPECT_EQ(result_count(problem, 1000), 25U);
    EXPECT_EQ(result_count(problem, 0), 0U);
    EXPECT_EQ(bytes_read(make_problem("sum", Type::f64), std::uint64_t{1} << 40), std::uint64_t{1} << 43);
}

TEST(Problem, AMatrixHasAResultForEachColumn) {
    Problem problem = make_problem("sum", Type::f32);
    problem.columns = 40;
    EXPECT_EQ(result_count(problem, 1000), 40U);
    EXPECT_EQ(result_count(problem, 0), 40U) << "a matrix without rows has the results of no elements";
    EXPECT_EQ(extents_of(problem, 1000), (Extents{1, 25, 40}));
    EXPECT_EQ(shape_of(problem).unit(), 40U);
    EXPECT_EQ(shape_of(problem).kind(), ShapeKind::columns);
}

RC_GTEST_PROP(Problem, ExtentsHaveTheElementsAndResultsOfTheArray, ()) {
    Problem problem;
    const auto unit = *rc::gen::inRange<std::uint64_t>(2, 1 << 20);
    const auto units = *rc::gen::inRange<std::uint64_t>(0, 1 << 20);
    const auto kind = *rc::gen::element(ShapeKind::whole, ShapeKind::rows, ShapeKind::columns);
    if (kind == ShapeKind::rows) problem.row_length = unit;
    if (kind == ShapeKind::columns) problem.columns = unit;
    RC_ASSERT(shape_of(problem).kind() == kind);
    const std::uint64_t n = units * shape_of(problem).unit();
    const Extents extents = extents_of(problem, n);
    RC_ASSERT(extents.n() == n);
    RC_ASSERT(extents.results() == result_count(problem, n));
    RC_ASSERT((extents.inner > 1) == (kind == ShapeKind::columns));
}

RC_GTEST_PROP(Problem, RowsCoverTheWholeArray, ()) {
    Problem problem;
    problem.row_length = *rc::gen::inRange<std::uint64_t>(2, 1 << 20);
    const auto rows = *rc::gen::inRange<std::uint64_t>(0, 1 << 20);
    RC_ASSERT(result_count(problem, rows * problem.row_length) == rows);
}

TEST(Problem, AreEqualIfAllMembersAreEqual) {
    const Problem sum = make_problem("sum", Type::f32);
    for (const auto& change : std::vector<void (*)(Problem&)>{
             [](Problem& p) { p.op = "mean"; }, [](Problem& p) { p.input = Type::f16; },
             [](Problem& p) { p.accumulator = Type::f64; }, [](Problem& p) { p.output = Type::f64; },
             [](Problem& p) { p.arrays = 2; }, [](Problem& p) { p.row_length = 32; },
             [](Problem& p) { p.columns = 32; }, [](Problem& p) { p.determinism = Determinism::run_to_run; },
             [](Problem& p) { p.destructive = true; }}) {
        Problem other = sum;
        change(other);
        EXPECT_FALSE(other == sum);
    }
}

}  // namespace
}  // namespace redtune
