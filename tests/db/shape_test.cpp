#include "db/shape.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "redtune/error.h"

namespace redtune::db {
namespace {

Problem shaped(std::uint64_t row_length, bool destructive, std::uint64_t columns = 0) {
    Problem problem;
    problem.row_length = row_length;
    problem.columns = columns;
    problem.destructive = destructive;
    return problem;
}

TEST(Shape, IsStoredAsReadableText) {
    EXPECT_EQ(stored_shape(shaped(0, false)), "whole");
    EXPECT_EQ(stored_shape(shaped(0, true)), "whole destructive");
    EXPECT_EQ(stored_shape(shaped(32, false)), "rows:32");
    EXPECT_EQ(stored_shape(shaped(1 << 20, true)), "rows:1048576 destructive");
    EXPECT_EQ(stored_shape(shaped(0, true, 64)), "columns:64 destructive");
}

RC_GTEST_PROP(Shape, RoundTripsAndChangesNothingElse, ()) {
    const auto length =
        *rc::gen::oneOf(rc::gen::just<std::uint64_t>(0), rc::gen::inRange<std::uint64_t>(2, std::uint64_t{1} << 40));
    const bool has_columns = *rc::gen::arbitrary<bool>();
    const Problem expected = shaped(has_columns ? 0 : length, *rc::gen::arbitrary<bool>(), has_columns ? length : 0);
    // The shape and `destructive` begin with random values, which read_shape() must overwrite.
    Problem problem = shaped(*rc::gen::element<std::uint64_t>(0, 7), *rc::gen::arbitrary<bool>(),
                             *rc::gen::element<std::uint64_t>(0, 9));
    problem.op = "dot";
    problem.arrays = 2;
    read_shape(stored_shape(expected), problem);
    RC_ASSERT(problem.row_length == expected.row_length);
    RC_ASSERT(problem.columns == expected.columns);
    RC_ASSERT(problem.destructive == expected.destructive);
    RC_ASSERT(problem.op == "dot");
    RC_ASSERT(problem.arrays == 2U);
}

TEST(Shape, RejectsOtherText) {
    Problem problem;
    for (const char* text : {"", "destructive", " destructive", "wholedestructive", "whole destructive ",
                             "rows:", "rows:1", "rows:32destructive", "whole  destructive", "column:3 destructive"}) {
        EXPECT_THROW(read_shape(text, problem), InputError) << text;
    }
}

}  // namespace
}  // namespace redtune::db
