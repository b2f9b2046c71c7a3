#include "tuner/report/column_table.h"

#include <gtest/gtest.h>

namespace redtune::report {
namespace {

TEST(ColumnTable, EqualValuesAreStoredOnce) {
    ColumnTable table({"op", "n"});
    table.add({"sum", 1});
    table.add({"sum", 2});
    EXPECT_EQ(table.json(), Json::parse(R"({"rows": 2, "columns": {"op": {"all": "sum"}, "n": [1, 2]}})"));
}

TEST(ColumnTable, TextsAreStoredOnceEach) {
    ColumnTable table({"op"});
    for (const char* op : {"sum", "max", "sum"}) table.add({op});
    table.add({nullptr});
    EXPECT_EQ(table.json()["columns"]["op"], Json::parse(R"({"words": ["sum", "max"], "of": [0, 1, 0, -1]})"));
}

TEST(ColumnTable, UnknownNumbersStayNull) {
    ColumnTable table({"us"});
    table.add({1.5});
    table.add({nullptr});
    EXPECT_EQ(table.json()["columns"]["us"], Json::parse("[1.5, null]"));
}

TEST(ColumnTable, ARowWithTooFewValuesIsRefused) {
    ColumnTable table({"op", "n"});
    EXPECT_THROW(table.add({"sum"}), std::out_of_range);
}

TEST(ColumnTable, NumbersAreRoundedToTheDigitsOfSamples) {
    EXPECT_EQ(rounded(1.2345678), 1.2346);
    EXPECT_EQ(rounded(4532.86), 4532.9);
    EXPECT_EQ(rounded(0), 0);
}

}  // namespace
}  // namespace redtune::report
