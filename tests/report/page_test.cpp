#include "tuner/report/page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/core/built_in_families.h"

namespace redtune::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

/// Returns the values of a column of a ColumnTable.
std::vector<Json> column_of(const Json& table, const std::string& name) {
    const Json& column = table.at("columns").at(name);
    std::vector<Json> values;
    for (std::size_t i = 0; i < table.at("rows"); ++i) {
        if (column.is_array()) {
            values.push_back(column[i]);
        } else if (column.contains("all")) {
            values.push_back(column["all"]);
        } else {
            values.push_back(column["of"][i] < 0 ? Json() : column["words"][column["of"][i].get<std::size_t>()]);
        }
    }
    return values;
}

class PageTest : public testing::Test {
  protected:
    PageTest() {
        request_.families = built_in_families();
        request_.layers = {{"given", file_, db::Access::read_only}};
    }

    db::Store open() { return db::Store::open(file_, db::Access::read_write); }

    /// Stores a sweep with a measurement of each time for different configurations.
    std::int64_t screen(const std::vector<double>& times, std::uint64_t n, const DeviceInfo& device = db::h200(),
                        const Problem& problem = {}) {
        db::Store store = open();
        const std::int64_t sweep = store.begin_sweep(device, problem, db::toolchain(), "gpu", "redtune tune");
        std::int64_t unroll = 0;
        for (const double us : times) {
            const Candidate candidate = db::candidate(++unroll);
            store.record(sweep, candidate, "hash", n, Regime::cold, make_plan(candidate.rule, n),
                         db::measurement(us, Stage::screen));
        }
        store.finish_sweep(sweep, "finished");
        return sweep;
    }

    Json data() { return page_data(request_, "redtune report"); }

    db::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "a.db";
    PageRequest request_;
};

TEST_F(PageTest, WinnersAreThoseOfTheStore) {
    {
        db::Store store = open();
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(4), 10.123456);
        db::add_winner(store, db::h200(), {}, 1 << 24, Regime::warm, db::candidate(8), 20);
    }
    const Json page = data();
    const Json& winners = page["winners"];
    EXPECT_THAT(column_of(winners, "n"), ElementsAre(1 << 20, 1 << 24));
    EXPECT_THAT(column_of(winners, "regime"), ElementsAre("cold", "warm"));
    EXPECT_THAT(column_of(winners, "time_us"), ElementsAre(10.123, 20));
    EXPECT_EQ(page["problems"][0]["name"], "sum of f32");
    EXPECT_EQ(page["devices"][0]["name"], "NVIDIA H200");
    EXPECT_EQ(page["devices"][0]["sms"], 132);
    const auto index = column_of(winners, "configuration")[1].get<std::size_t>();
    const Json& row = page["configurations"]["rows"][index];
    const Json& kind = page["configurations"]["kinds"][row[0].get<std::size_t>()];
    EXPECT_EQ(kind["family"], "grid_stride_wide");
    const auto names = kind["parameters"].get<std::vector<std::string>>();
    const auto unroll = std::find(names.begin(), names.end(), "unroll") - names.begin();
    EXPECT_EQ(row[static_cast<std::size_t>(unroll) + 1], 8);
    EXPECT_THAT(names, testing::Contains("pdl")) << "completed with what the family has gained";
}

TEST_F(PageTest, AMeasurementThatWonTwiceIsOneRow) {
    {
        db::Store store = open();
        const std::int64_t sweep = store.begin_sweep(db::h200(), {}, db::toolchain(), "gpu", "redtune tune");
        const Candidate candidate = db::candidate();
        const std::int64_t id = store.record(sweep, candidate, "hash", 4096, Regime::cold,
                                             make_plan(candidate.rule, 4096), db::measurement(5));
        for (const Determinism determinism : {Determinism::any, Determinism::run_to_run}) {
            store.set_winner(sweep, 4096, Regime::cold, determinism, id, "time", 1.25);
        }
    }
    const Json winners = data()["winners"];
    EXPECT_THAT(column_of(winners, "determinism"), ElementsAre("any, run_to_run"));
    EXPECT_THAT(column_of(winners, "runner_up_ratio"), ElementsAre(1.25));
    EXPECT_THAT(column_of(winners, "decided_by"), ElementsAre("time"));
}

TEST_F(PageTest, CellsHaveEveryCandidateInItsOrder) {
    std::vector<double> times;
    for (int i = 0; i < 20; ++i) times.push_back(30 - i);
    screen(times, 65536);
    const Json page = data();
    ASSERT_EQ(page["cells"].size(), 1U);
    const Json& cell = page["cells"][0];
    EXPECT_EQ(cell["n"], 65536);
    EXPECT_EQ(cell["regime"], "cold");
    EXPECT_EQ(cell["stages"], Json::parse("[20, 0, 0]"));
    EXPECT_EQ(cell["times_us"].get<std::vector<double>>(), times);
    EXPECT_EQ(cell["configurations"].size(), 20U);
    EXPECT_THAT(column_of(page["sweeps"], "measurements"), ElementsAre(20));
    EXPECT_EQ(page["winners"]["rows"], 0);
    EXPECT_FALSE(is_empty_page(page));
}

TEST_F(PageTest, FinalistsAloneAreNoSearch) {
    screen({3, 4, 5}, 65536);
    EXPECT_TRUE(data()["cells"].empty());
    EXPECT_EQ(data()["sweeps"]["rows"], 1);
}

TEST_F(PageTest, FailuresHaveTheirReasonAndCount) {
    {
        db::Store store = open();
        const std::int64_t sweep = store.begin_sweep(db::h200(), {}, db::toolchain(), "gpu", "redtune tune");
        Measurement failure;
        failure.status = Status::wrong;
        failure.reason = "expected 1, got 2";
        for (const std::uint64_t n : {4096, 64, 1024}) {
            store.record(sweep, db::candidate(), "hash", n, Regime::cold, make_plan(db::candidate().rule, n), failure);
        }
    }
    const Json failures = data()["failures"];
    ASSERT_EQ(failures["rows"], 1);
    EXPECT_EQ(column_of(failures, "status")[0], "wrong");
    EXPECT_EQ(column_of(failures, "reason")[0], "expected 1, got 2");
    EXPECT_EQ(column_of(failures, "count")[0], 3);
    EXPECT_EQ(column_of(failures, "least_n")[0], 64);
    EXPECT_EQ(column_of(failures, "most_n")[0], 4096);
}

TEST_F(PageTest, RareReasonsOfManyFailuresAreLeftOut) {
    {
        db::Store store = open();
        const std::int64_t sweep = store.begin_sweep(db::h200(), {}, db::toolchain(), "gpu", "redtune tune");
        Measurement failure;
        failure.status = Status::wrong;
        for (int i = 0; i < 1010; ++i) {
            failure.reason = fmt::format("got {}", std::max(i, 3));
            store.record(sweep, db::candidate(), "hash", 64, Regime::cold, make_plan(db::candidate().rule, 64),
                         failure);
        }
    }
    const Json page = data();
    EXPECT_EQ(page["failures"]["rows"], 1000);
    EXPECT_EQ(column_of(page["failures"], "count")[0], 4) << "the most frequent reason comes first";
    EXPECT_THAT(column_of(page["sweeps"], "failures"), ElementsAre(1010));
}

TEST_F(PageTest, StatesHaveTheClocksOfTheSweep) {
    screen({3, 4, 5}, 65536);
    const Json states = data()["states"];
    ASSERT_GE(states["rows"], 1);
    EXPECT_EQ(column_of(states, "most_sm_mhz")[0], 1980);
    EXPECT_EQ(column_of(states, "temperature_c")[0], 41);
    EXPECT_EQ(column_of(states, "power_w")[0], 312);
}

TEST_F(PageTest, TheFilterSelectsDeviceProblemSizeAndRegime) {
    DeviceInfo other = db::h200();
    other.name = "NVIDIA L4";
    const Problem product = make_problem("product", Type::f64);
    {
        db::Store store = open();
        db::add_winner(store, db::h200(), {}, 1024, Regime::cold, db::candidate(), 1);
        db::add_winner(store, db::h200(), {}, 1024, Regime::warm, db::candidate(), 2);
        db::add_winner(store, db::h200(), {}, 4096, Regime::cold, db::candidate(), 3);
        db::add_winner(store, db::h200(), product, 1024, Regime::cold, db::candidate(), 4);
        db::add_winner(store, other, {}, 1024, Regime::cold, db::candidate(), 5);
    }
    const auto times = [&] { return column_of(data()["winners"], "time_us"); };
    EXPECT_THAT(times(), testing::SizeIs(5));
    request_.filter.devices = {"NVIDIA L4"};
    EXPECT_THAT(times(), ElementsAre(5));
    EXPECT_EQ(data()["devices"].size(), 1U);
    EXPECT_EQ(data()["sweeps"]["rows"], 1);
    request_.filter.devices = {"NVIDIA H200"};
    request_.filter.is_problem = [](const Problem& problem) { return problem.op == "sum"; };
    EXPECT_THAT(times(), ElementsAre(1, 3, 2));
    request_.filter.regimes = {Regime::cold};
    EXPECT_THAT(times(), ElementsAre(1, 3));
    request_.filter.is_size = [](std::uint64_t n) { return n > 1024; };
    EXPECT_THAT(times(), ElementsAre(3));
    request_.filter.devices = {"none"};
    EXPECT_TRUE(is_empty_page(data()));
}

TEST_F(PageTest, UnitsAreShownWhereSeveralWereCompared) {
    const db::Layer shipped{"shipped", std::filesystem::path(test::shipped_data()) / "nvidia-h200.winners.db",
                            db::Access::immutable};
    request_.layers = {shipped};
    request_.filter.is_problem = [](const Problem& problem) { return problem == make_problem("sum", Type::f32); };
    request_.filter.is_size = [](std::uint64_t n) { return n == 1 << 20; };
    request_.filter.regimes = {Regime::cold};
    const Json page = data();
    const auto ratios = column_of(page["units"], "ratio");
    const db::Store store = shipped.open();
    const auto expected = store.connection().value(
        "SELECT count(*) FROM unit_times WHERE op = 'sum' AND dtype = 'f32' AND accumulator_type = 'f32' AND shape = "
        "'whole' AND regime = 'cold' AND n = 1048576");
    EXPECT_EQ(ratios.size(), static_cast<std::size_t>(expected));
    EXPECT_GE(ratios.size(), 4U);
    for (const Json& ratio : ratios) EXPECT_GE(ratio, 1);
    EXPECT_GE(page["devices"][0]["units"].size(), 2U);
}

TEST_F(PageTest, NothingOfTheDatabaseEndsTheElementThatHoldsIt) {
    DeviceInfo evil = db::h200();
    evil.name = "</script><script>alert('\"')</script><!-- \xff";
    {
        db::Store store = open();
        db::add_winner(store, evil, {}, 1024, Regime::cold, db::candidate(), 1);
    }
    const Json held = data();
    const std::string page = html_page(held, "var chart = '</script>';");
    const std::string opening = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = page.find(opening) + opening.size();
    const std::string json = page.substr(begin, page.find("</script>", begin) - begin);
    EXPECT_EQ(json.find('<'), std::string::npos);
    EXPECT_EQ(Json::parse(json)["devices"][0]["name"], "</script><script>alert('\"')</script><!-- \xef\xbf\xbd");
    EXPECT_THAT(page, Not(HasSubstr("alert('\"')</script>")));
    EXPECT_THAT(page, HasSubstr("var chart = '<\\/script>';"));
}

TEST_F(PageTest, ThePageLoadsNothingFromElsewhere) {
    screen({3, 4, 5}, 65536);
    const std::string page = html_page(data(), "var vega;");
    EXPECT_THAT(page, Not(testing::ContainsRegex("(src|href)=[\"']?(https?:)?//")));
    EXPECT_THAT(page, Not(HasSubstr("@import")));
    EXPECT_THAT(page, HasSubstr("BUT NOT LIMITED TO")) << "the licence of the charts";
    EXPECT_THAT(page, Not(testing::ContainsRegex("@(style|licences|data|charts|script)@")));
}

TEST_F(PageTest, AMissingChartLibraryIsNamedWithItsRemedy) {
    EXPECT_THAT([&] { find_chart_library({folder_.path()}); },
                ThrowsMessage<Error>(testing::AllOf(HasSubstr((folder_ / "vega.js").string()),
                                                    HasSubstr("scripts/install-dependencies"))));
    std::filesystem::create_directory(folder_ / "second");
    db::write_file(folder_ / "second/vega.js", "x");
    EXPECT_EQ(find_chart_library({folder_.path(), folder_ / "second"}), folder_ / "second/vega.js");
}

}  // namespace
}  // namespace redtune::report
