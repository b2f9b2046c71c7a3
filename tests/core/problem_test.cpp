#include "redtune/problem.h"

#include <gtest/gtest.h>

#include "redtune/error.h"

namespace redtune {
namespace {

TEST(Problem, NamesReadBack) {
    for (const std::string& name : type_names()) {
        EXPECT_EQ(to_string(parse_type(name)), name);
        EXPECT_GT(size_of(parse_type(name)), 0U);
    }
    for (const char* name : {"cold", "warm"}) EXPECT_EQ(to_string(parse_regime(name)), name);
    for (const char* name : {"any", "run_to_run"}) EXPECT_EQ(to_string(parse_determinism(name)), name);
}

TEST(Problem, UnknownNamesAreRefusedWithTheAllowedOnes) {
    try {
        parse_type("f31");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "there is no type 'f31'; allowed are i32, f32");
    }
    EXPECT_THROW(make_problem("summ", Type::f32), InputError);
    EXPECT_THROW(parse_regime("tepid"), InputError);
}

TEST(Problem, SumsKeepTheInputsType) {
    const Problem problem = make_problem("sum", Type::i32);
    EXPECT_EQ(problem.accumulator, Type::i32);
    EXPECT_EQ(problem.output, Type::i32);
    EXPECT_EQ(problem.shape, "whole");
}

}  // namespace
}  // namespace redtune
