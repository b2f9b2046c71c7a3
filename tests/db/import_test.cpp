#include "db/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "db/export.h"
#include "db/json_line.h"
#include "db/migration.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

using testing::HasSubstr;

class ImportTest : public testing::Test {
  protected:
    ImportTest() {
        std::ostringstream text;
        {
            Store store = Store::open(folder_ / "a.db", Access::read_write);
            add_winner(store, h200(), {}, 1 << 20, Regime::cold, candidate(4, false), 12.5);
            export_rows(store.connection(), text);
        }
        std::istringstream in(text.str());
        for (std::string line; std::getline(in, line);) lines_.push_back(line);
    }

    /// Returns the number of the line of a table's only row, from 1.
    std::size_t number_of(const std::string& table) const {
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (lines_[i].starts_with(R"({"table":")" + table + '"')) return i + 1;
        }
        ADD_FAILURE() << table;
        return 1;
    }

    static ReadExport read(const std::vector<std::string>& lines, std::size_t most_named = 20) {
        std::ostringstream text;
        for (const std::string& line : lines) text << line << '\n';
        std::istringstream in(text.str());
        return read_export(in, most_named);
    }

    /// Returns the lines after a text in the line of a table was replaced.
    std::vector<std::string> changed(const std::string& table, const std::string& from, const std::string& to) const {
        std::vector<std::string> lines = lines_;
        std::string& line = lines.at(number_of(table) - 1);
        const std::size_t at = line.find(from);
        if (at == std::string::npos) {
            ADD_FAILURE() << table << " has no " << from << ": " << line;
        } else {
            line.replace(at, from.size(), to);
        }
        return lines;
    }

    TemporaryFolder folder_;
    std::vector<std::string> lines_;
};

TEST_F(ImportTest, ReadsWhatWasExported) {
    const ReadExport got = read(lines_);
    EXPECT_EQ(got.rejected_count, 0U);
    EXPECT_EQ(got.rows.value("SELECT count(*) FROM measurement"), 1);
    EXPECT_EQ(got.rows.value("SELECT count(*) FROM unit_winner"), 1);
    EXPECT_EQ(schema_version(got.rows), embedded_migrations().back().version);
}

struct BadLine {
    const char* table;
    const char* from;
    const char* to;
    const char* reason;
};

TEST_F(ImportTest, NamesTheLineAndTheReason) {
    const std::array bad = {
        BadLine{"device", "{", "", "the line is no JSON object"},
        BadLine{"device", R"({"table":"device")", R"({"table":"devise")", "allowed are device, device_unit"},
        BadLine{"device", R"({"table":"device")", R"({"table":"devise")", "did you mean 'device'?"},
        BadLine{"device", R"("table":"device",)", "", "no 'table'"},
        BadLine{"device", R"("sm_count":132)", R"("sm_count":"many")",
                "'sm_count' is \"many\"; allowed is a whole number"},
        BadLine{"device", R"("sm_count":132)", R"("sm_count":-1)", "'sm_count' is -1"},
        BadLine{"device", R"("sm_count":132)", R"("sm_count":9999999999)", "from 0 to 4294967295"},
        BadLine{"device", R"("sm_count":132,)", "", "it has no 'sm_count'"},
        BadLine{"device", R"("sm_count":132)", R"("sm_cuont":132)", "did you mean 'sm_count'?"},
        BadLine{"device", R"("sm_count":132)", R"("sm_count":132,"sm_count":132)", "it has two members \"sm_count\""},
        BadLine{"problem", R"("input_type":"f32")", R"("input_type":"f33")", "f32"},
        BadLine{"problem", R"("shape":"whole")", R"("shape":"hole")", "hole"},
        BadLine{"problem", R"("input_bytes":4)", R"("input_bytes":3)", "'input_bytes' is 3"},
        BadLine{"configuration", R"("parameters":{)", R"("parameters":[],"x":{)", "'x' is no member"},
        BadLine{"configuration", R"("grid":"blocks_per_sm")", R"("grid":"square")", "square"},
        BadLine{"configuration", R"("deterministic":0)", R"("deterministic":2)", "CHECK constraint failed"},
        BadLine{"configuration", R"("family_id":1)", R"("family_id":7)",
                "'family_id' is 7, but no earlier line is the family with this id"},
        BadLine{"sweep", R"("status":"finished")", R"("status":"done")", "CHECK constraint failed: status IN"},
        BadLine{"sweep", R"("identity":")", R"("identity":"","command":"x)", "two members"},
        BadLine{"measurement", R"("regime":"cold")", R"("regime":"colt")",
                "'colt' is no regime; allowed are cold, warm, back_to_back; did you mean 'cold'?"},
        BadLine{"measurement", R"("samples":[)", R"("samples":["x",)", "sample"},
        BadLine{"measurement", R"("samples":[)", R"("samples":[[],)", "sample"},
        BadLine{"measurement", R"("median_us":12.5)", R"("median_us":-1)", "CHECK constraint failed"},
        BadLine{"measurement", R"("n":1048576)", R"("n":1.5)", "'n' is 1.5"},
        BadLine{"measurement", R"("n":1048576)", R"("n":9223372036854775808)", "'n' is 9223372036854775808"},
        BadLine{"unit_winner", R"("n":1048576)", R"("n":1024)", "of another device, problem, size or regime"},
        BadLine{"unit_winner", R"("determinism":"any")", R"("determinism":"run_to_run")", "is not deterministic"},
        BadLine{"unit_winner", R"("determinism":"any")", R"("determinism":"some")", "CHECK constraint failed"},
        BadLine{"unit_winner", R"("determinism":"any")", R"("determinism":"any","effort":"lazy")",
                "CHECK constraint failed"},
        BadLine{"unit_winner", R"("data_ratios":{"uniform":)", R"("data_ratios":{"uniform":"fast","u":)",
                "not a number"},
    };
    for (const BadLine& each : bad) {
        const ReadExport got = read(changed(each.table, each.from, each.to));
        ASSERT_EQ(got.rejected_count, 1U) << each.to << ": rows that refer to a rejected one are not named";
        EXPECT_EQ(got.rejected.at(0).number, number_of(each.table)) << each.to;
        EXPECT_THAT(got.rejected.at(0).reason, HasSubstr(each.reason)) << each.to;
    }
}

TEST_F(ImportTest, RefusesFilesThatAreNoExportsOrOfANewerVersion) {
    const auto reason = [](const std::vector<std::string>& lines) {
        const ReadExport got = read(lines);
        EXPECT_EQ(got.rejected_count, 1U);
        return got.rejected_count == 0 ? std::string() : got.rejected.at(0).reason;
    };
    EXPECT_THAT(reason({}), HasSubstr("the file is empty"));
    EXPECT_THAT(reason({"hello", "world"}), HasSubstr("no JSON object"));
    EXPECT_THAT(reason({"{}"}), HasSubstr("`redtune db export` writes such files"));
    EXPECT_THAT(reason({R"({"format":"redtune-database"})"}), HasSubstr("it has no 'version'"));
    EXPECT_THAT(reason({R"({"format":"redtune-database","version":1000})"}), HasSubstr("update redtune"));
    EXPECT_THAT(reason({R"({"format":"redtune-database","version":6})"}), HasSubstr("there is no version 6"));
}

TEST_F(ImportTest, NoticesAFileThatWasCutOff) {
    std::vector<std::string> cut(lines_.begin(), lines_.end() - 1);
    ReadExport got = read(cut);
    ASSERT_EQ(got.rejected_count, 1U);
    EXPECT_EQ(got.rejected[0].number, lines_.size());
    EXPECT_THAT(got.rejected[0].reason, HasSubstr("the file was cut off"));

    std::vector<std::string> shortened = lines_;
    shortened.erase(shortened.end() - 2);
    got = read(shortened);
    ASSERT_EQ(got.rejected_count, 1U);
    EXPECT_THAT(got.rejected[0].reason, HasSubstr("lines are missing"));

    std::vector<std::string> longer = lines_;
    longer.push_back(lines_[1]);
    got = read(longer);
    ASSERT_EQ(got.rejected_count, 1U);
    EXPECT_EQ(got.rejected[0].number, longer.size());
}

TEST_F(ImportTest, NamesTheFirstLinesAndCountsAll) {
    std::vector<std::string> lines(lines_.begin(), lines_.begin() + 1);
    lines.insert(lines.end(), 30, "no JSON");
    lines.emplace_back(R"({"rows":30})");
    const ReadExport got = read(lines, 20);
    EXPECT_EQ(got.rejected.size(), 20U);
    EXPECT_EQ(got.rejected_count, 30U);
    EXPECT_EQ(got.rejected.back().number, 21U);
}

TEST(JsonLine, OverlongAndDeepLinesAreRefusedAndSkipped) {
    std::istringstream in(std::string(longest_json_line + 5, 'x') + "\n{\"a\":1}\r\n");
    std::string line;
    ASSERT_TRUE(read_json_line(in, line));
    EXPECT_THROW(parse_json_line(line), InputError);
    ASSERT_TRUE(read_json_line(in, line));
    EXPECT_EQ(parse_json_line(line).at("a"), 1);
    EXPECT_FALSE(read_json_line(in, line));
    EXPECT_THROW(parse_json_line("{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}"), InputError);
    EXPECT_THROW(parse_json_line(R"({"a":{"b":1,"b":2}})"), InputError);
    EXPECT_EQ(parse_json_line(R"({"a":{"b":1},"c":{"b":2}})").size(), 2U);
}

}  // namespace
}  // namespace redtune::db
