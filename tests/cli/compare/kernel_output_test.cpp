#include "tuner/cli/compare/kernel_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<report::KernelComparisonRow> kernel_rows() {
    report::KernelComparisonRow row{"sum", "f32", 4096, 1024, Regime::cold, 1, "outlier", "single_block(block=256)",
                                    1.03,  1.0,   1.02, 1.04};
    return {row};
}

TEST(KernelOutput, AsCsvTheSummaryIsOnStandardError) {
    std::ostringstream out;
    std::ostringstream err;
    print_kernel_comparison(kernel_rows(), Format::csv, out, err);
    EXPECT_EQ(out.str(),
              "op,dtype,bytes,n,regime,alignment,data,configuration,new_us,old_us,ratio,ratio_low,ratio_high\r\n"
              "sum,f32,4096,1024,cold,1 off,outlier,single_block(block=256),1.03,1,1.03,1.02,1.04\r\n");
    EXPECT_THAT(err.str(), StartsWith("cells: 1\ngeometric mean of new over old: 1.0300\n"));
}

TEST(KernelOutput, AsATableTheSummaryFollowsTheRows) {
    std::ostringstream out;
    std::ostringstream err;
    print_kernel_comparison(kernel_rows(), Format::table, out, err);
    EXPECT_THAT(out.str(), HasSubstr("cells slower by more than 2 %: 1\n"));
    EXPECT_THAT(err.str(), IsEmpty());
}

TEST(KernelOutput, AsJsonRowsAndSummaryAreOneObject) {
    std::ostringstream out;
    std::ostringstream err;
    print_kernel_comparison(kernel_rows(), Format::json, out, err);
    const auto parsed = nlohmann::json::parse(out.str());
    EXPECT_EQ(parsed["cells"].size(), 1U);
    EXPECT_EQ(parsed["summary"]["slower_by_1_percent"], 1);
}

}  // namespace
}  // namespace redtune::cli
