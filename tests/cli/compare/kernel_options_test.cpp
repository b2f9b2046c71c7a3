#include "tuner/cli/compare/kernel_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"

namespace redtune::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

compare::CellRequest parse_kernels(const std::string& line) {
    KernelOptions options;
    CLI::App app;
    add_kernel_options(app, options);
    app.parse(line);
    return parse_kernel_options(options);
}

TEST(KernelOptions, ByDefaultEveryTunedProblemIsRequestedAligned) {
    const compare::CellRequest request = parse_kernels("--against .");
    EXPECT_EQ(request.problems.size(), 21U);
    EXPECT_EQ(request.bytes.front(), std::uint64_t{1} << 10);
    EXPECT_EQ(request.bytes.back(), std::uint64_t{4} << 30);
    EXPECT_THAT(request.regimes, ElementsAre(Regime::cold, Regime::warm));
    EXPECT_THAT(request.offsets, ElementsAre(0));
}

TEST(KernelOptions, ARunCanBeSplitByProblemSizeAndRegime) {
    const compare::CellRequest request =
        parse_kernels("--against . --op sum --dtype f32,f16 --bytes 1Ki,4Ki --regime warm --offset 0,1");
    ASSERT_EQ(request.problems.size(), 2U);
    EXPECT_EQ(request.problems[1].problem.input, Type::f16);
    EXPECT_THAT(request.bytes, ElementsAre(1024, 4096));
    EXPECT_THAT(request.regimes, ElementsAre(Regime::warm));
    EXPECT_THAT(request.offsets, ElementsAre(0, 1));
}

TEST(KernelOptions, ListsTakeSpacesAsWell) {
    const compare::CellRequest request = parse_kernels("--against . --op sum max --dtype f32 f16 --regime warm cold");
    ASSERT_EQ(request.problems.size(), 4U);
    EXPECT_EQ(request.problems[3].problem.op, "max");
    EXPECT_THAT(request.regimes, ElementsAre(Regime::warm, Regime::cold));
}

TEST(KernelOptions, DataAreUniformUnlessKindsAreGiven) {
    EXPECT_THAT(parse_kernels("--against . --op sum --dtype f32").problems.front().data,
                ElementsAre(Field(&timing::Data::name, "uniform")));
    EXPECT_THAT(parse_kernels("--against . --op sum --dtype f32 --data outlier,uniform").problems.front().data,
                ElementsAre(Field(&timing::Data::name, "outlier"), Field(&timing::Data::name, "uniform")));
    EXPECT_THROW(parse_kernels("--against . --op sum --dtype i32 --data subnormal"), InputError);
}

TEST(KernelOptions, RefusesWrongArguments) {
    EXPECT_THROW(parse_kernels("--op sum"), CLI::RequiredError);
    EXPECT_THROW(parse_kernels("--against . --rounds 5"), CLI::ValidationError);
    EXPECT_THROW(parse_kernels("--against . --bytes 1026"), InputError);
    EXPECT_THROW(parse_kernels("--against . --offset 64"), InputError);
    EXPECT_THROW(parse_kernels("--against . --op median"), InputError);
}

}  // namespace
}  // namespace redtune::cli
