#include "tuner/cli/table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace redtune::cli {
namespace {

std::string printed(const Table& table, Format format) {
    std::ostringstream out;
    table.print(out, format);
    return out.str();
}

Table sample() {
    Table table({{"family"}, {"size_elements"}, {"time_us", 3}, {"deterministic"}});
    table.add({"grid_stride_wide", std::int64_t{4096}, 1.23456, true});
    table.add({"shared_sequential", std::int64_t{268435456}, 223.5, false});
    table.add({"single_block", std::monostate{}, std::monostate{}, true});
    return table;
}

TEST(Table, AlignsColumnsAndRoundsDoubles) {
    EXPECT_EQ(printed(sample(), Format::table),
              "family             size_elements  time_us  deterministic\n"
              "grid_stride_wide            4096    1.235  yes\n"
              "shared_sequential      268435456  223.500  no\n"
              "single_block                   -        -  yes\n");
}

TEST(Table, PrintsMarkdownWithRightAlignedNumbers) {
    EXPECT_EQ(printed(sample(), Format::md),
              "| family            | size_elements | time_us | deterministic |\n"
              "| ----------------- | ------------: | ------: | ------------- |\n"
              "| grid_stride_wide  |          4096 |   1.235 | yes           |\n"
              "| shared_sequential |     268435456 | 223.500 | no            |\n"
              "| single_block      |             - |       - | yes           |\n");
}

TEST(Table, PrintsJsonWithFullPrecisionInColumnOrder) {
    Table table({{"b"}, {"a"}, {"none"}, {"flag"}, {"n"}});
    table.add({"x", 0.1, std::monostate{}, true, std::numeric_limits<std::int64_t>::max()});
    EXPECT_EQ(printed(table, Format::json),
              "[\n  {\n    \"b\": \"x\",\n    \"a\": 0.1,\n    \"none\": null,\n    \"flag\": true,\n"
              "    \"n\": 9223372036854775807\n  }\n]\n");
}

TEST(Table, PrintsCsvWithFullPrecision) {
    Table table({{"a"}, {"b"}, {"c"}, {"d"}});
    table.add({1.0 / 3.0, std::int64_t{-7}, std::monostate{}, false});
    EXPECT_EQ(printed(table, Format::csv), "a,b,c,d\r\n0.3333333333333333,-7,,false\r\n");
}

TEST(Table, QuotesCsvFields) {
    Table table({{"plain"}, {"a,b"}});
    table.add({"says \"no\"", "two\nlines"});
    EXPECT_EQ(printed(table, Format::csv), "plain,\"a,b\"\r\n\"says \"\"no\"\"\",\"two\nlines\"\r\n");
}

TEST(Table, PrintsOnlyTheHeaderWhenEmpty) {
    const Table table({{"family"}, {"time_us"}});
    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(printed(table, Format::table), "family  time_us\n");
    EXPECT_EQ(printed(table, Format::md), "| family | time_us |\n| ------ | ------- |\n");
    EXPECT_EQ(printed(table, Format::json), "[]\n");
    EXPECT_EQ(printed(table, Format::csv), "family,time_us\r\n");
}

TEST(Table, TableAndMarkdownKeepARowOnOneLine) {
    Table table({{"error"}});
    table.add({"first\nsecond|third"});
    EXPECT_EQ(printed(table, Format::table), "error\nfirst second|third\n");
    EXPECT_EQ(printed(table, Format::md),
              "| error               |\n| ------------------- |\n| first second\\|third |\n");
}

TEST(Table, CountsCodePointsAndNotBytes) {
    Table table({{"text"}, {"n"}});
    table.add({"\u00b5\u00b5\u00b5\u00b5\u00b5", std::int64_t{1}});
    table.add({"abcde", std::int64_t{2}});
    EXPECT_EQ(printed(table, Format::table), "text   n\n\u00b5\u00b5\u00b5\u00b5\u00b5  1\nabcde  2\n");
}

TEST(Table, PrintsNanAndInvalidUtf8) {
    Table table({{"time_us"}, {"path"}});
    table.add({std::numeric_limits<double>::quiet_NaN(), "\xff"});
    EXPECT_EQ(printed(table, Format::json), "[\n  {\n    \"time_us\": null,\n    \"path\": \"\ufffd\"\n  }\n]\n");
    EXPECT_EQ(printed(table, Format::csv), "time_us,path\r\nnan,\xff\r\n");
}

TEST(Table, RefusesARowWithAnotherNumberOfCells) {
    Table table({{"a"}, {"b"}});
    EXPECT_THROW(table.add({"one"}), std::invalid_argument);
    EXPECT_THROW(table.add({"one", "two", "three"}), std::invalid_argument);
    EXPECT_EQ(table.size(), 0U);
}

Table summary() {
    Table table({{"op", 0, Visibility::if_varied},
                 {"n", 0, Visibility::never},
                 {"configuration"},
                 {"time_us", 2},
                 {"speedup_over_classic", 1}});
    table.add(
        {"sum", std::int64_t{1024}, Abbreviated{"tile(block=512, finish=packed, pdl=0)", "tile(block=512)"}, 1.5, 2.0});
    table.add(
        {"sum", std::int64_t{2048}, Abbreviated{"tile(block=64, finish=packed, pdl=0)", "tile(block=64)"}, 2.5, 3.0});
    return table;
}

std::string fitted(const Table& table, std::size_t columns) {
    std::ostringstream out;
    table.print(out, Format::table, columns);
    return out.str();
}

TEST(Table, ATableShowsColumnsThatVaryAndBriefTexts) {
    EXPECT_EQ(fitted(summary(), 100),
              "configuration    time_us  speedup_over_classic\n"
              "tile(block=512)     1.50                   2.0\n"
              "tile(block=64)      2.50                   3.0\n");
    Table two = summary();
    two.add({"max", std::int64_t{1}, "tile()", 1.0, 1.0});
    EXPECT_EQ(fitted(two, 100).substr(0, 4), "op  ");
}

TEST(Table, OtherFormatsHaveAllColumnsAndFullTexts) {
    for (const Format format : {Format::wide_table, Format::md, Format::csv, Format::json}) {
        const std::string text = printed(summary(), format);
        for (const char* part : {"op", "sum", "1024", "finish=packed, pdl=0"}) {
            EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
        }
    }
}

TEST(Table, HeadersAreWrappedBeforeTexts) {
    EXPECT_EQ(fitted(summary(), 40),
              "configuration    time_us   speedup_over_\n"
              "                                 classic\n"
              "tile(block=512)     1.50             2.0\n"
              "tile(block=64)      2.50             3.0\n");
    EXPECT_EQ(fitted(summary(), 34),
              "configuration   time_us   speedup_\n"
              "                             over_\n"
              "                           classic\n"
              "tile(              1.50        2.0\n"
              "block=512)\n"
              "tile(block=64)     2.50        3.0\n");
}

TEST(Table, ColumnsThatAreShownIfThereIsRoomAreLeftOutFromTheRight) {
    Table table({{"n"}, {"failures", 0, Visibility::if_room}, {"winners", 0, Visibility::if_room}, {"time_us", 2}});
    table.add({std::int64_t{1024}, std::int64_t{3}, std::int64_t{2}, 1.5});
    EXPECT_EQ(fitted(table, 32),
              "   n  failures  winners  time_us\n"
              "1024         3        2     1.50\n");
    EXPECT_EQ(fitted(table, 31),
              "   n  failures  time_us\n"
              "1024         3     1.50\n");
    EXPECT_EQ(fitted(table, 20),
              "   n  time_us\n"
              "1024     1.50\n");
    EXPECT_EQ(fitted(table, 5), fitted(table, 20)) << "the other columns stay";
    EXPECT_NE(printed(table, Format::wide_table).find("winners"), std::string::npos);
}

TEST(Table, AColumnMayBeShownOnlyIfThereIsRoomAndItsValuesDiffer) {
    Table table({{"n"}, {"units", 0, Visibility::if_varied_and_room}});
    table.add({std::int64_t{1024}, std::int64_t{1}});
    EXPECT_EQ(fitted(table, 80), "   n\n1024\n");
    table.add({std::int64_t{2048}, std::int64_t{3}});
    EXPECT_EQ(fitted(table, 80), "   n  units\n1024      1\n2048      3\n");
    EXPECT_EQ(fitted(table, 8), "   n\n1024\n2048\n");
}

TEST(Table, AColumnMayBeShownOnlyIfARowHasAValue) {
    Table table({{"n"}, {"ncu_us", 1, Visibility::if_any}});
    table.add({std::int64_t{1024}, {}});
    EXPECT_EQ(fitted(table, 80), "   n\n1024\n");
    table.add({std::int64_t{2048}, 2.5});
    EXPECT_EQ(fitted(table, 80), "   n  ncu_us\n1024       -\n2048     2.5\n");
}

TEST(Table, TextsAreBrokenAtMoreCharactersIfTheyWouldNotFitOtherwise) {
    Table table({{"shape"}, {"path"}, {"units", 0, Visibility::if_room}});
    table.add({"columns:1048576", "/home/me/redtune.db", std::int64_t{1}});
    EXPECT_EQ(fitted(table, 43),
              "shape            path                 units\n"
              "columns:1048576  /home/me/redtune.db      1\n");
    EXPECT_EQ(fitted(table, 36),
              "shape            path\n"
              "columns:1048576  /home/me/redtune.db\n");
    EXPECT_EQ(fitted(table, 28),
              "shape          path\n"
              "columns:       /home/me/\n"
              "1048576        redtune.db\n");
    EXPECT_EQ(fitted(table, 20),
              "shape     path\n"
              "columns:  /home/me/\n"
              "1048576   redtune.db\n");
}

TEST(Table, TimesAreNotBroken) {
    Table table({{"shape"}, {"started_at"}});
    table.add({"columns:1048576", "2026-11-29T17:54:53Z"});
    EXPECT_EQ(fitted(table, 30),
              "shape     started_at\n"
              "columns:  2026-11-29T17:54:53Z\n"
              "1048576\n");
}

TEST(Table, LinesStayTooLongIfTheyCannotBeMadeToFit) {
    EXPECT_EQ(fitted(summary(), 20), fitted(summary(), 100));
}

/// Returns the rows of a CSV text as RFC 4180 defines it: the inverse of Table's output.
std::vector<std::vector<std::string>> parsed_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto& field = rows.back().back();
        if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            field += text[++i];
        } else if (text[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && text[i] == ',') {
            rows.back().emplace_back();
        } else if (!quoted && text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
            ++i;
            rows.emplace_back(1);
        } else {
            field += text[i];
        }
    }
    rows.pop_back();
    return rows;
}

RC_GTEST_PROP(TableProperty, CsvIsParsedBackUnchanged, ()) {
    const auto text = rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r', ' ', '|'));
    const auto count = *rc::gen::inRange(0, 5);
    Table table({{"left"}, {"right"}});
    std::vector<std::vector<std::string>> expected = {{"left", "right"}};
    for (int i = 0; i < count; ++i) {
        expected.push_back({*text, *text});
        table.add({expected.back()[0], expected.back()[1]});
    }
    RC_ASSERT(parsed_csv(printed(table, Format::csv)) == expected);
}

RC_GTEST_PROP(TableProperty, NumbersAreParsedBackExactly, (double number, std::int64_t integer)) {
    Table table({{"number"}, {"integer"}});
    table.add({number, integer});
    const auto fields = parsed_csv(printed(table, Format::csv)).back();
    RC_ASSERT(std::strtod(fields[0].c_str(), nullptr) == number);
    RC_ASSERT(std::stoll(fields[1]) == integer);
    const auto object = nlohmann::json::parse(printed(table, Format::json)).at(0);
    RC_ASSERT(object.at("number").get<double>() == number);
    RC_ASSERT(object.at("integer").get<std::int64_t>() == integer);
}

}  // namespace
}  // namespace redtune::cli
