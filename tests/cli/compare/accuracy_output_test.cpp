#include "tuner/cli/compare/accuracy_output.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "tests/support/golden.h"

namespace redtune::cli {
namespace {

std::vector<report::AccuracyRow> accuracy_rows() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {{"sum", "f32", 65536, "uniform", "two_kernel", "tile_per_block", 0.015625},
            {"sum", "f32", 65536, "uniform", "cluster", "one_cluster", 0.00000123},
            {"sum", "f16", 16777216, "lognormal", "CUB default", "cub::DeviceReduce", infinity},
            {"sum", "f16", 16777216, "uniform", "CUB run_to_run", "cub::DeviceReduce", 8191.75},
            {"dot", "f32", 16777216, "zeros", "publish", "grid_stride_wide", 0}};
}

std::string printed(Format format) {
    std::ostringstream out;
    print_accuracy(accuracy_rows(), format, out);
    return out.str();
}

TEST(AccuracyOutput, EveryFormatEqualsItsGoldenFile) {
    EXPECT_EQ(printed(Format::table), test::golden("accuracy_table.txt", printed(Format::table)));
    EXPECT_EQ(printed(Format::csv), test::golden("accuracy_csv.txt", printed(Format::csv)));
    EXPECT_EQ(printed(Format::json), test::golden("accuracy_json.txt", printed(Format::json)));
    EXPECT_EQ(printed(Format::md), test::golden("accuracy_md.txt", printed(Format::md)));
}

}  // namespace
}  // namespace redtune::cli
