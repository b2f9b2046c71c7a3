#include "tuner/cli/comparison_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/golden.h"

namespace redtune::cli {
namespace {

using report::ComparisonRow;
using testing::HasSubstr;
using testing::StartsWith;

/// Returns rows with both determinisms of redtune, two alignments, a warm cell, a slower cell and a tie.
std::vector<ComparisonRow> rows() {
    const std::string stream =
        "grid_stride_wide(block=512, unroll=4, vector_bytes=16, finish=publish, blocks_per_sm=4)";
    const std::string block = "single_block(block=512, unroll=8, vector_bytes=16)";
    const Determinism any = Determinism::any;
    const Determinism same = Determinism::run_to_run;
    return {{"sum", "f32", any, "default", 16384, 4096, Regime::cold, 0, 1.8125, 1.78125, 0.98, 0.985, block},
            {"sum", "f32", same, "default", 16384, 4096, Regime::cold, 0, 1.875, 1.78125, 0.945, 0.955, block},
            {"sum", "f32", any, "default", 16384, 4096, Regime::warm, 0, 1.5, 1.5, 0.997, 1.002, block},
            {"sum", "f32", any, "default", 67108864, 16777216, Regime::cold, 1, 17.5, 21, 1.19, 1.21, stream},
            {"max", "i32", any, "gpu_to_gpu", 1048576, 262144, Regime::cold, 0, 2.5, 4, 1.58, 1.62, stream,
             report::Streams::several}};
}

struct Printed {
    std::string out;
    std::string err;
};

Printed print(Format format, const std::vector<ComparisonRow>& of = rows()) {
    std::ostringstream out;
    std::ostringstream err;
    print_comparison(of, {4814, 300500, {{report::Streams::one, 0.506}, {report::Streams::several, 0.684}}}, format,
                     out, err);
    return {out.str(), err.str()};
}

TEST(ComparisonOutput, TableAndMarkdownHaveTheSummaryBelow) {
    const std::string table = print(Format::table).out;
    EXPECT_EQ(table, test::golden("bench_table.txt", table));
    const std::string md = print(Format::md).out;
    EXPECT_EQ(md, test::golden("bench_md.txt", md));
}

TEST(ComparisonOutput, CsvHasTheRowsAloneAndTheSummaryIsOnStderr) {
    const Printed printed = print(Format::csv);
    EXPECT_EQ(printed.out, test::golden("bench_csv.txt", printed.out));
    EXPECT_THAT(printed.out,
                StartsWith("op,dtype,bytes,n,regime,alignment,redtune_us,cub_us,ratio,ratio_low,ratio_high,"
                           "verdict,"));
    EXPECT_THAT(printed.err,
                HasSubstr("slower: sum f32 16KiB cold aligned, any against default, streams: one (0.983)"));
    EXPECT_THAT(printed.err, HasSubstr("with kernels launched from several streams, an empty kernel takes 0.684 us"));
}

TEST(ComparisonOutput, JsonIsOneObjectWithCellsAndSummary) {
    const Printed printed = print(Format::json);
    EXPECT_EQ(printed.out, test::golden("bench_json.txt", printed.out));
    EXPECT_EQ(printed.err, "");
}

TEST(ComparisonOutput, AllFormatsHaveTheSameRows) {
    const auto json = nlohmann::json::parse(print(Format::json).out);
    ASSERT_EQ(json["cells"].size(), rows().size());
    std::istringstream csv(print(Format::csv).out);
    std::istringstream table(print(Format::table).out);
    std::string csv_line;
    std::string table_line;
    std::getline(csv, csv_line);
    std::getline(table, table_line);
    for (const auto& [column, value] : json["cells"][0].items()) {
        EXPECT_THAT(csv_line, HasSubstr(column));
        EXPECT_THAT(table_line, HasSubstr(column));
    }
    for (const auto& cell : json["cells"]) {
        std::getline(csv, csv_line);
        std::getline(table, table_line);
        for (const char* column :
             {"op", "dtype", "alignment", "verdict", "determinism", "cub_determinism", "streams"}) {
            EXPECT_THAT(csv_line, HasSubstr(cell[column].get<std::string>()));
            EXPECT_THAT(table_line, HasSubstr(cell[column].get<std::string>()));
        }
        for (const char* column : {"bytes", "n", "cub_version"}) {
            EXPECT_THAT(csv_line, HasSubstr(std::to_string(cell[column].get<std::uint64_t>())));
            EXPECT_THAT(table_line, HasSubstr(std::to_string(cell[column].get<std::uint64_t>())));
        }
    }
}

TEST(ComparisonOutput, EverySlowerCellIsNamedEverywhere) {
    const auto json = nlohmann::json::parse(print(Format::json).out);
    ASSERT_EQ(json["summary"]["slower"].size(), 2U);
    for (const auto& slower : json["summary"]["slower"]) {
        for (const Format format : {Format::table, Format::md}) {
            EXPECT_THAT(print(format).out, HasSubstr("slower: " + slower["cell"].get<std::string>()));
        }
    }
}

TEST(ComparisonOutput, WhereNoneIsSlowerThatIsSaid) {
    EXPECT_THAT(print(Format::table, {rows()[4]}).out, HasSubstr("no cell is slower"));
    EXPECT_TRUE(nlohmann::json::parse(print(Format::json, {rows()[4]}).out)["summary"]["determinism_cost"].is_null());
}

TEST(ComparisonOutput, WithoutAKnownPeakThereIsNoShareOfIt) {
    std::ostringstream out;
    std::ostringstream err;
    print_comparison({rows()[0]}, {0, 300500}, Format::json, out, err);
    EXPECT_TRUE(nlohmann::json::parse(out.str())["cells"][0]["peak_percent"].is_null());
}

}  // namespace
}  // namespace redtune::cli
