#include "tuner/core/operator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "redtune/error.h"
#include "tuner/jit/source_set.h"

namespace redtune {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

std::vector<Type> all_types() {
    std::vector<Type> types;
    for (const std::string& name : type_names()) types.push_back(parse_type(name));
    return types;
}

/// Returns 0 for unsigned integers, 1 for signed integers, 2 for floats.
int kind_of(Type type) {
    return is_float(type) ? 2 : is_signed(type) ? 1 : 0;
}

// The default accumulator of sums for each input type, as redtune/problem.h documents it.
const std::map<Type, Type> widened = {{Type::i8, Type::i32},   {Type::u8, Type::u32},  {Type::i16, Type::i32},
                                      {Type::u16, Type::u32},  {Type::i32, Type::i32}, {Type::u32, Type::u32},
                                      {Type::i64, Type::i64},  {Type::u64, Type::u64}, {Type::f16, Type::f32},
                                      {Type::bf16, Type::f32}, {Type::f32, Type::f32}, {Type::f64, Type::f64}};

/// Returns the default types that redtune/problem.h documents; nullopt if the operator is not defined for the type.
std::optional<ResultTypes> documented_default(const std::string& op, Type input) {
    const Type wide = widened.at(input);
    const std::set<std::string> bits = {"bit_and", "bit_or", "bit_xor"};
    if (bits.contains(op)) {
        if (is_float(input)) return std::nullopt;
        return ResultTypes{wide, input};
    }
    if (op == "min" || op == "max") return ResultTypes{wide, input};
    if (op == "argmin" || op == "argmax") {
        return ResultTypes{input == Type::u8 || input == Type::u16 ? Type::i32 : wide, Type::u64};
    }
    if (op == "any" || op == "all") return ResultTypes{Type::u32, Type::u8};
    if (op == "mean" && !is_float(input)) return ResultTypes{is_signed(input) ? Type::i64 : Type::u64, Type::f64};
    if (op == "l2_norm" && !is_float(input)) return ResultTypes{Type::f64, Type::f64};
    return ResultTypes{wide, wide};
}

TEST(Operator, TableHasTheSixteenOperators) {
    EXPECT_THAT(operator_names(),
                ElementsAre("sum", "product", "min", "max", "mean", "argmin", "argmax", "sum_of_squares", "l1_norm",
                            "l2_norm", "any", "all", "bit_and", "bit_or", "bit_xor", "dot"));
    EXPECT_EQ(operators().size(), operator_names().size());
    for (const Operator& op : operators()) {
        ASSERT_NE(find_operator(op.name), nullptr);
        EXPECT_EQ(find_operator(op.name)->name, op.name);
        EXPECT_FALSE(op.summary.empty()) << op.name;
        EXPECT_EQ(op.arrays, op.name == "dot" ? 2U : 1U) << op.name;
        EXPECT_EQ(op.combined == Combined::value_and_index, op.name.starts_with("arg")) << op.name;
    }
    EXPECT_EQ(find_operator("summ"), nullptr);
}

TEST(Operator, DefaultTypesAreAsDocumented) {
    for (const std::string& op : operator_names()) {
        for (const Type input : all_types()) {
            const auto expected = documented_default(op, input);
            const auto allowed = result_types(op, input);
            ASSERT_EQ(allowed.empty(), !expected) << op << " of " << to_string(input);
            if (!expected) continue;
            EXPECT_EQ(to_string(allowed.front().accumulator), to_string(expected->accumulator))
                << op << " of " << to_string(input);
            EXPECT_EQ(to_string(allowed.front().output), to_string(expected->output))
                << op << " of " << to_string(input);
            const Problem problem = make_problem(op, input);
            EXPECT_EQ(problem.op, op);
            EXPECT_EQ(problem.input, input);
            EXPECT_EQ((ResultTypes{problem.accumulator, problem.output}), *expected);
            EXPECT_EQ(problem.arrays, op == "dot" ? 2U : 1U);
            EXPECT_EQ(problem.row_length, 0U);
            EXPECT_FALSE(problem.destructive);
        }
    }
}

TEST(Operator, MissingTypesAreChosenToFitTheGivenOnes) {
    EXPECT_EQ(make_problem("sum", Type::f16, Type::f64).output, Type::f64);
    EXPECT_EQ(make_problem("sum", Type::f16, std::nullopt, Type::f16).accumulator, Type::f32);
    EXPECT_EQ(make_problem("sum", Type::i8, std::nullopt, Type::f64).accumulator, Type::f64);
    EXPECT_EQ(make_problem("argmin", Type::f32, std::nullopt, Type::i64).output, Type::i64);
    EXPECT_EQ(make_problem("any", Type::f32, std::nullopt, Type::u32).output, Type::u32);
}

TEST(Operator, ErrorsListTheAllowedOperatorsAndTypes) {
    EXPECT_THAT(
        [] { make_problem("summ", Type::f32); },
        ThrowsMessage<InputError>(AllOf(HasSubstr("'summ'"), HasSubstr("sum, product, min"), HasSubstr("dot"))));
    EXPECT_THAT([] { make_problem("bit_and", Type::f32); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("bit_and makes no sense of f32"),
                                                HasSubstr("allowed are i8, u8, i16, u16, i32, u32, i64, u64"),
                                                Not(HasSubstr("f64")))));
    // The types below are refused because they are narrower than the input, narrower than 32 bits, of another kind than
    // the input, or cannot hold an index.
    EXPECT_THAT([] { make_problem("sum", Type::i64, Type::i32); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("sum of i64 cannot accumulate in i32 and return its default"),
                                                HasSubstr("i64 to i64, f64 to f64"))));
    EXPECT_THAT([] { make_problem("sum", Type::f16, Type::f16, Type::f16); },
                ThrowsMessage<InputError>(HasSubstr("f32 to f32, f32 to f16, f64 to f64, f64 to f16")));
    EXPECT_THAT([] { make_problem("max", Type::f32, std::nullopt, Type::i32); },
                ThrowsMessage<InputError>(HasSubstr("accumulate in its default and return i32")));
    EXPECT_THROW(make_problem("argmax", Type::f32, std::nullopt, Type::f32), InputError);
    EXPECT_THROW(make_problem("mean", Type::i32, Type::i32), InputError);
    EXPECT_THROW(make_problem("all", Type::i32, Type::u64), InputError);
}

RC_GTEST_PROP(Operator, AccumulatorsCanHoldTheInput, ()) {
    const std::string op = *rc::gen::elementOf(operator_names());
    const Type input = *rc::gen::elementOf(all_types());
    const bool is_truth = op == "any" || op == "all";
    const auto allowed = result_types(op, input);
    for (const ResultTypes& types : allowed) {
        RC_ASSERT(size_of(types.accumulator) >= 4U);
        // any and all accumulate a truth value, whose width does not depend on the input.
        if (!is_truth && kind_of(types.accumulator) == kind_of(input)) {
            RC_ASSERT(size_of(types.accumulator) >= size_of(input));
        }
        // The accumulator is of the input's kind (signed, unsigned or float), a wider signed integer, or f64.
        const bool is_wider_signed =
            kind_of(input) == 0 && kind_of(types.accumulator) == 1 && size_of(types.accumulator) > size_of(input);
        RC_ASSERT(is_truth || kind_of(types.accumulator) == kind_of(input) || is_wider_signed ||
                  types.accumulator == Type::f64);
        // Floats need a float accumulator, and signed numbers need a signed accumulator.
        if (!is_truth && is_float(input)) RC_ASSERT(is_float(types.accumulator));
        if (!is_truth && is_signed(input)) RC_ASSERT(is_signed(types.accumulator));
        RC_ASSERT(std::count(allowed.begin(), allowed.end(), types) == 1);
        const Problem problem = make_problem(op, input, types.accumulator, types.output);
        RC_ASSERT((ResultTypes{problem.accumulator, problem.output}) == types);
    }
    if (!allowed.empty()) {
        const Problem problem = make_problem(op, input);
        RC_ASSERT(std::count(allowed.begin(), allowed.end(), ResultTypes{problem.accumulator, problem.output}) == 1);
    }
}

RC_GTEST_PROP(Operator, OtherPairsOfTypesAreRejected, ()) {
    const std::string op = *rc::gen::elementOf(operator_names());
    const Type input = *rc::gen::elementOf(all_types());
    const ResultTypes types{*rc::gen::elementOf(all_types()), *rc::gen::elementOf(all_types())};
    const auto allowed = result_types(op, input);
    const bool is_allowed = std::find(allowed.begin(), allowed.end(), types) != allowed.end();
    try {
        make_problem(op, input, types.accumulator, types.output);
        RC_ASSERT(is_allowed);
    } catch (const InputError&) {
        RC_ASSERT(!is_allowed);
    }
}

TEST(Operator, DeviceNamesAreCamelCase) {
    const std::map<std::string, std::string> names = {{"sum", "Sum"},         {"product", "Product"},
                                                      {"min", "Min"},         {"max", "Max"},
                                                      {"mean", "Mean"},       {"argmin", "Argmin"},
                                                      {"argmax", "Argmax"},   {"sum_of_squares", "SumOfSquares"},
                                                      {"l1_norm", "L1Norm"},  {"l2_norm", "L2Norm"},
                                                      {"any", "Any"},         {"all", "All"},
                                                      {"bit_and", "BitAnd"},  {"bit_or", "BitOr"},
                                                      {"bit_xor", "BitXor"},  {"dot", "Dot"},
                                                      {"my_own_2", "MyOwn2"}, {"sum_of_4th_powers", "SumOf4thPowers"}};
    for (const auto& [op, name] : names) EXPECT_EQ(device_name_of_operator(op), name);
    for (const std::string& op : operator_names()) EXPECT_TRUE(names.contains(op)) << op;
}

TEST(Operator, RoundingDependsOnTheOperatorAndTheAccumulator) {
    EXPECT_EQ(rounding_of(make_problem("sum", Type::f16)), Rounding::signed_terms);
    EXPECT_EQ(rounding_of(make_problem("dot", Type::f64)), Rounding::signed_terms);
    EXPECT_EQ(rounding_of(make_problem("mean", Type::f32)), Rounding::signed_terms);
    EXPECT_EQ(rounding_of(make_problem("l1_norm", Type::f32)), Rounding::positive_terms);
    EXPECT_EQ(rounding_of(make_problem("l2_norm", Type::i8)), Rounding::positive_terms);
    EXPECT_EQ(rounding_of(make_problem("product", Type::f32)), Rounding::product);
    EXPECT_EQ(rounding_of(make_problem("sum", Type::i32)), Rounding::none);
    EXPECT_EQ(rounding_of(make_problem("sum", Type::i32, Type::f64)), Rounding::signed_terms);
    EXPECT_EQ(rounding_of(make_problem("mean", Type::i32)), Rounding::none);
    for (const char* op : {"min", "max", "argmin", "argmax", "any", "all"}) {
        EXPECT_EQ(rounding_of(make_problem(op, Type::f32)), Rounding::none) << op;
    }
    Problem own;
    own.op = "my_own";
    EXPECT_EQ(rounding_of(own), Rounding::signed_terms);
    own.accumulator = Type::u32;
    EXPECT_EQ(rounding_of(own), Rounding::none);
}

TEST(Operator, ReferenceProblemsOfRoundedResultsUseF64) {
    Problem problem = make_problem("dot", Type::f16);
    problem.row_length = 32;
    problem.destructive = true;
    Problem expected = problem;
    expected.accumulator = expected.output = Type::f64;
    EXPECT_EQ(reference_problem(problem), expected);
    for (const Problem& exact : {make_problem("sum", Type::i8), make_problem("min", Type::f16),
                                 make_problem("argmax", Type::f32), make_problem("mean", Type::u8)}) {
        EXPECT_EQ(reference_problem(exact), exact) << exact.op;
    }
    EXPECT_EQ(reference_problem(make_problem("mean", Type::bf16)).output, Type::f64);
}

TEST(Operator, PairsOfValueAndIndexTakeSixteenBytes) {
    EXPECT_EQ(accumulator_bytes(make_problem("argmin", Type::i8)), 16U);
    EXPECT_EQ(accumulator_bytes(make_problem("argmax", Type::f64)), 16U);
    EXPECT_EQ(accumulator_bytes(make_problem("min", Type::i8)), 4U);
    EXPECT_EQ(accumulator_bytes(make_problem("sum", Type::f16, Type::f64)), 8U);
    Problem own;
    own.op = "my_own";
    EXPECT_EQ(accumulator_bytes(own), 4U);
}

TEST(Operator, TraitsAreSetForTheRightOperators) {
    for (const Operator& op : operators()) {
        EXPECT_EQ(op.divides_by_count, op.name == "mean") << op.name;
        EXPECT_EQ(op.takes_square_root, op.name == "l2_norm") << op.name;
        EXPECT_EQ(op.combined == Combined::ordered_value, op.name == "min" || op.name == "max") << op.name;
    }
}

TEST(Operator, IsAdditiveAgreesWithTheDeviceCode) {
    const jit::SourceSet sources = jit::SourceSet::load();
    const std::string& code = sources.text("kernels_src/arithmetic_operators.cuh");
    const auto base_of = [&](const std::string& name) {
        std::smatch match;
        return std::regex_search(code, match, std::regex("struct " + name + " : (\\w+)")) ? match[1].str() : "";
    };
    for (const Operator& op : operators()) {
        std::string name = device_name_of_operator(op.name);
        while (!name.empty() && name != "Addition") name = base_of(name);
        EXPECT_EQ(op.is_additive, name == "Addition") << op.name;
    }
}

TEST(Operator, SumsMeansAndNormsAdd) {
    for (const char* op : {"sum", "mean", "sum_of_squares", "l1_norm", "l2_norm", "dot"}) {
        for (const Type type : {Type::f16, Type::i32}) EXPECT_TRUE(adds(make_problem(op, type))) << op;
    }
    for (const char* op : {"product", "min", "argmax", "any", "bit_xor"}) {
        EXPECT_FALSE(adds(make_problem(op, Type::i32))) << op;
    }
}

}  // namespace
}  // namespace redtune
