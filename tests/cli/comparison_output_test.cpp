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
using testing::Not;
using testing::StartsWith;

/// Returns rows with both determinisms of redtune, two alignments, two shapes, a size between tuned ones, a warm cell
/// without a limit, a slower cell and a tie.
std::vector<ComparisonRow> rows() {
    const std::string stream =
        "grid_stride_wide(block=512, unroll=4, vector_bytes=16, finish=publish, blocks_per_sm=4)";
    const std::string block = "single_block(block=512, unroll=8, vector_bytes=16)";
    const auto row = [&](const Problem& problem, std::uint64_t n, Regime regime, std::uint64_t offset,
                         const std::string& configuration) {
        ComparisonRow made;
        made.cell = report::compared_cell(problem, n, regime, offset, report::Streams::one);
        made.configuration = configuration;
        made.tuned_n = n;
        return made;
    };
    const auto times = [](ComparisonRow& made, double redtune_us, double cub_us, double low, double high) {
        made.redtune_us = redtune_us;
        made.cub_us = cub_us;
        made.ratio_low = low;
        made.ratio_high = high;
    };
    const Problem sum = make_problem("sum", Type::f32);
    Problem rows_of_max = make_problem("max", Type::i32);
    rows_of_max.row_length = 1024;
    std::vector<ComparisonRow> rows = {row(sum, 4096, Regime::cold, 0, block), row(sum, 4096, Regime::cold, 0, block),
                                       row(sum, 4096, Regime::warm, 0, block),
                                       row(sum, 16777213, Regime::cold, 1, stream),
                                       row(rows_of_max, 262144, Regime::cold, 0, stream)};
    times(rows[0], 1.8125, 1.78125, 0.98, 0.985);
    times(rows[1], 1.875, 1.78125, 0.945, 0.955);
    times(rows[2], 1.5, 1.5, 0.997, 1.002);
    times(rows[3], 17.5, 21, 1.19, 1.21);
    times(rows[4], 2.5, 4, 1.58, 1.62);
    rows[1].determinism = Determinism::run_to_run;
    rows[3].match = MatchKind::between;
    rows[3].tuned_n = 16777216;
    rows[4].cell.streams = report::Streams::several;
    rows[4].cub_determinism = "run_to_run";
    const report::Reader one_block{1.25, "block=512, loads=8, grid=1"};
    rows[0].limit = rows[1].limit = report::Limit{0.5, 1.125, 1.75, true, one_block, report::Reader{1.5, "grid"}};
    rows[3].limit = report::Limit{0.5, 1.125, 1.75, true, {}, report::Reader{16.25, "block=512, loads=8, grid=528"}};
    rows[4].limit = report::Limit{0.5, 1.125, 0, false, {}, report::Reader{2, "block=128, loads=4, grid=128"}};
    return rows;
}

struct Printed {
    std::string out;
    std::string err;
};

Printed print(Format format, const std::vector<ComparisonRow>& of = rows()) {
    std::ostringstream out;
    std::ostringstream err;
    print_comparison(of,
                     {4814, 300500, {{report::Streams::one, 0.506}, {report::Streams::several, 0.684}}, "NVIDIA H200"},
                     format, out, err);
    return {out.str(), err.str()};
}

TEST(ComparisonOutput, RowsOfDifferentDataAreDistinguished) {
    std::vector<ComparisonRow> both(2, rows()[0]);
    both[1].cell.data = "outlier";
    both[1].redtune_us = 2 * both[0].redtune_us;
    EXPECT_EQ(report::ratio_to_uniform(both, both[1]), 2);
    EXPECT_EQ(report::ratio_to_uniform({both[1]}, both[1]), std::nullopt) << "uniform data were not timed";
    const auto json = nlohmann::json::parse(print(Format::json, both).out);
    EXPECT_EQ(json["cells"][1]["data"], "outlier");
    EXPECT_EQ(json["cells"][1]["of_uniform"], 2);
    EXPECT_EQ(json["cells"][0]["of_uniform"], 1);
    EXPECT_THAT(print(Format::table, both).out, HasSubstr("streams: one, data: outlier:"));
    EXPECT_THAT(print(Format::csv, both).out, HasSubstr(",data,of_uniform"));
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
                StartsWith("op,dtype,shape,rows,bytes,n,regime,alignment,redtune_us,cub_us,ratio,ratio_low,"
                           "ratio_high,verdict,limit_us,of_limit,"));
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
    std::istringstream table(print(Format::wide_table).out);
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
             {"op", "dtype", "shape", "alignment", "verdict", "match", "determinism", "cub_determinism", "streams"}) {
            EXPECT_THAT(csv_line, HasSubstr(cell[column].get<std::string>()));
            EXPECT_THAT(table_line, HasSubstr(cell[column].get<std::string>()));
        }
        for (const char* column : {"rows", "bytes", "n", "tuned_n", "cub_version"}) {
            EXPECT_THAT(csv_line, HasSubstr(std::to_string(cell[column].get<std::uint64_t>())));
            EXPECT_THAT(table_line, HasSubstr(std::to_string(cell[column].get<std::uint64_t>())));
        }
    }
}

TEST(ComparisonOutput, TableFitsInto100Columns) {
    std::vector<ComparisonRow> wide = rows();
    Problem problem = make_problem("product", Type::bf16);
    problem.row_length = 1048573;
    wide[0].cell =
        report::compared_cell(problem, problem.row_length * 1023, Regime::back_to_back, 63, report::Streams::several);
    wide[0].redtune_us = wide[0].cub_us = 12345.678;
    wide[0].cub_determinism = "not_guaranteed";
    wide[0].determinism = Determinism::run_to_run;
    wide[1].cell.dtype = "bf16";
    wide.insert(wide.end(), {wide[0], wide[0]});
    wide.back().match = MatchKind::between;
    wide.back().cell.shape = "whole";
    std::istringstream table(print(Format::table, wide).out);
    for (std::string line; std::getline(table, line);) {
        if (line.starts_with("slower: ")) continue;
        EXPECT_LE(line.size(), 100U) << line;
    }
}

TEST(ComparisonOutput, ARowWithoutALimitLeavesItsColumnsEmpty) {
    const auto cells = nlohmann::json::parse(print(Format::json).out)["cells"];
    EXPECT_EQ(cells[0]["limit_us"], 1.25);
    EXPECT_EQ(cells[0]["of_limit"], 1.45);
    EXPECT_EQ(cells[0]["limit_one_block_shape"], "block=512, loads=8, grid=1");
    EXPECT_TRUE(cells[3]["limit_one_block_us"].is_null());
    EXPECT_TRUE(cells[4]["limit_handover_us"].is_null()) << "rows need no hand-over";
    for (const char* column : {"limit_us", "of_limit", "limit_empty_us", "limit_load_us", "limit_grid_shape"}) {
        EXPECT_TRUE(cells[2][column].is_null()) << column;
    }
}

TEST(ComparisonOutput, ATimeBelowTheLimitIsReported) {
    std::vector<ComparisonRow> below = {rows()[3]};
    EXPECT_THAT(print(Format::table, below).out, Not(HasSubstr("below the limit")));
    below[0].limit->grid->us = 17.75;
    EXPECT_THAT(print(Format::table, below).out, Not(HasSubstr("below the limit"))) << "1.4 % is noise";
    below[0].limit->grid->us = 18;
    EXPECT_THAT(print(Format::table, below).out,
                HasSubstr("below the limit, so the limit is wrong: sum f32 67108852B cold 1 off, any against default, "
                          "streams: one (0.972)"));
}

TEST(ComparisonOutput, EveryFormatListsEverySlowerCell) {
    const auto json = nlohmann::json::parse(print(Format::json).out);
    ASSERT_EQ(json["summary"]["slower"].size(), 2U);
    for (const auto& slower : json["summary"]["slower"]) {
        for (const Format format : {Format::table, Format::md}) {
            EXPECT_THAT(print(format).out, HasSubstr("slower: " + slower["cell"].get<std::string>()));
        }
    }
}

TEST(ComparisonOutput, CellsThatAreNotTunedAreCountedAndListedInJson) {
    ComparisonContext context{4814, 300500};
    context.not_tuned = {"sum f16 4KiB cold aligned: not tuned; `redtune tune --op sum` does that"};
    for (const Format format : {Format::table, Format::md}) {
        std::ostringstream out;
        print_comparison(rows(), context, format, out, out);
        EXPECT_THAT(out.str(), HasSubstr("1 cells are not tuned, so they are not compared"));
    }
    std::ostringstream out;
    print_comparison(rows(), context, Format::json, out, out);
    EXPECT_EQ(nlohmann::json::parse(out.str())["summary"]["not_tuned"], nlohmann::json(context.not_tuned));
    EXPECT_THAT(print(Format::table).out, Not(HasSubstr("not tuned")));
}

TEST(ComparisonOutput, TheSummarySaysIfNoCellIsSlower) {
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
