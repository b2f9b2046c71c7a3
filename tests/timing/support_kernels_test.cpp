#include "tuner/timing/support_kernels.h"

#include <gtest/gtest.h>

#include <string>

#include "tuner/core/operator.h"

namespace redtune::timing {
namespace {

/// Returns the enumerator of Values (kernels_src/input_values.cuh) that the exact input of a problem has.
std::string exact_values(const Problem& problem) {
    const std::string expression = support_kernel_names(problem)[1].expression;
    const std::size_t begin = expression.rfind("::") + 2;
    return expression.substr(begin, expression.size() - 1 - begin);
}

TEST(ExactInput, HasNoWrappedNegativesWhereUnsignedIntegersAreAddedAsFloats) {
    int added_as_floats = 0;
    for (const Operator& op : operators()) {
        for (const Type input : {Type::u8, Type::u16, Type::u32, Type::u64}) {
            for (const ResultTypes& types : result_types(op.name, input)) {
                if (!is_float(types.accumulator) || op.rounding == Rounding::product) continue;
                ++added_as_floats;
                const Problem problem{std::string(op.name), input, types.accumulator, types.output};
                EXPECT_EQ(exact_values(problem), "small") << op.name << " of " << to_string(input);
            }
        }
    }
    EXPECT_GT(added_as_floats, 0);
}

TEST(ExactInput, HasBothSignsWhereThePartialSumsAreExact) {
    EXPECT_EQ(exact_values({"sum", Type::u8, Type::u32, Type::u32}), "whole");
    EXPECT_EQ(exact_values({"l2_norm", Type::i16, Type::f64, Type::f64}), "units");
    EXPECT_EQ(exact_values({"sum", Type::f32, Type::f32, Type::f32}), "whole");
}

TEST(ExactInput, OfProductsIsExactInTheAccumulator) {
    EXPECT_EQ(exact_values({"product", Type::i32, Type::i32, Type::i32}), "factors");
    EXPECT_EQ(exact_values({"product", Type::f32, Type::f32, Type::f32}), "factors");
    EXPECT_EQ(exact_values({"product", Type::i32, Type::f64, Type::f64}), "exact_factors");
    EXPECT_EQ(exact_values({"product", Type::u8, Type::f64, Type::f64}), "exact_factors");
}

}  // namespace
}  // namespace redtune::timing
