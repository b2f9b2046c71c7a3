#include "tuner/search/choose_over_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace redtune::search {
namespace {

/// Returns a unit with finalists whose configurations are 1, 2, ...; a time of 0 leaves the configuration out.
db::UnitFinalists unit(const std::vector<double>& times, std::int64_t first_measurement = 100,
                       const std::string& data = "uniform") {
    double best = std::numeric_limits<double>::infinity();
    for (const double time : times) best = time == 0 ? best : std::min(best, time);
    db::UnitFinalists made;
    made.source = "gpu";
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto id = static_cast<std::int64_t>(i);
        if (times[i] == 0) continue;
        made.finalists.push_back({id + 1, first_measurement + id, {{data, times[i] / best}}, true, 32});
    }
    return made;
}

TEST(ChooseOverUnits, TheWorstUnitDecides) {
    // Configuration 1 is the best on the first unit and 10 % behind on the second; configuration 2 is never far behind.
    const auto choice = choose_over_units(std::vector{unit({10, 10.2, 11}), unit({11, 10.1, 10}, 200)});
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->measurement, 101) << "the measurement of configuration 2 on the first unit";
    EXPECT_EQ(choice->units, 2U);
    EXPECT_DOUBLE_EQ(choice->spread, 1.02);
    EXPECT_EQ(choice->decided_by, "worst unit");
    EXPECT_DOUBLE_EQ(choice->runner_up_ratio.value(), 1.1 / 1.02);
}

TEST(ChooseOverUnits, AUnitThatIsSlowerForEveryConfigurationDecidesNothing) {
    const auto choice = choose_over_units(std::vector{unit({20, 21}), unit({10, 10.5})});
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->measurement, 100);
    EXPECT_DOUBLE_EQ(choice->spread, 1);
}

TEST(ChooseOverUnits, OnlyConfigurationsMeasuredOnEveryUnitCompete) {
    // Configuration 1 is the best of all on the first unit, but was not measured on the second.
    const auto choice = choose_over_units(std::vector{unit({10, 10.5, 10.8}), unit({0, 10.2, 10})});
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->measurement, 101);
    EXPECT_DOUBLE_EQ(choice->spread, 1.05) << "compared with the best of the unit, whether that competes or not";
    EXPECT_EQ(choose_over_units(std::vector{unit({10, 10.5}), unit({0, 10.2})})->decided_by, "only candidate");
    EXPECT_FALSE(choose_over_units(std::vector{unit({10, 10.5}), unit({0, 10.2})})->runner_up_ratio);
}

TEST(ChooseOverUnits, TheEffortIsThatOfTheUnitThatWasSearchedLeast) {
    std::vector<db::UnitFinalists> units{unit({10, 11}), unit({10, 11}, 200)};
    units[0].effort = "thorough";
    units[1].effort = "standard";
    EXPECT_EQ(choose_over_units(units)->effort, "standard");
    units[0].effort = "";
    EXPECT_EQ(choose_over_units(units)->effort, "") << "not known";
}

TEST(ChooseOverUnits, SimplicityDecidesATie) {
    std::vector<db::UnitFinalists> units{unit({10, 10.04, 10.3}), unit({10, 10.04, 10.3})};
    for (db::UnitFinalists& each : units) each.finalists[0].deterministic = false;
    auto choice = choose_over_units(units);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->measurement, 101);
    EXPECT_EQ(choice->decided_by, "simplicity");
    EXPECT_DOUBLE_EQ(choice->runner_up_ratio.value(), 1 / 1.004);

    for (db::UnitFinalists& each : units) {
        each.finalists[0].deterministic = true;
        each.finalists[0].registers = 40;
    }
    EXPECT_EQ(choose_over_units(units)->measurement, 101) << "fewer registers";
    for (db::UnitFinalists& each : units) each.finalists[0].registers = 32;
    EXPECT_EQ(choose_over_units(units)->measurement, 100) << "neither is simpler";

    // The simpler configuration is now more than 0.5 % slower than the best on the second unit.
    units[1].finalists[1].ratios[0].ratio = 1.006;
    for (db::UnitFinalists& each : units) each.finalists[0].deterministic = false;
    EXPECT_EQ(choose_over_units(units)->measurement, 100);
}

TEST(ChooseOverUnits, UnitsWithoutACommonConfigurationAreLeftOutOldestFirst) {
    const std::vector<db::UnitFinalists> units{unit({10, 11}), unit({12, 11}), unit({0, 0, 9})};
    const auto choice = choose_over_units(units);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->units, 2U);
    EXPECT_FALSE(choose_over_units(std::vector{units[0], units[2], units[1]})) << "the first two have none";
    EXPECT_FALSE(choose_over_units(std::vector{units[0]}));
    EXPECT_FALSE(choose_over_units({}));
}

TEST(ChooseOverUnits, TheWorstDataOfAUnitCounts) {
    // Configuration 1 is the best on uniform data, but 10 % behind on the other data of the second unit.
    std::vector<db::UnitFinalists> units{unit({10, 10.2}), unit({10, 10.2}, 200)};
    for (db::UnitFinalists& each : units) {
        each.finalists[0].ratios.push_back({"outlier", 1.05});
        each.finalists[1].ratios.push_back({"outlier", 1.0});
    }
    units[1].finalists[0].ratios[1].ratio = 1.1;
    const auto choice = choose_over_units(units);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->measurement, 101);
    EXPECT_DOUBLE_EQ(choice->spread, 1.02);
    EXPECT_EQ(choice->data, (std::vector<DataRatio>{{"uniform", 1.02}, {"outlier", 1.0}}));
    EXPECT_DOUBLE_EQ(choice->runner_up_ratio.value(), 1.1 / 1.02);
}

TEST(ChooseOverUnits, UnitsMayBeMeasuredOnDifferentData) {
    const auto choice = choose_over_units(std::vector{unit({10, 10.5}), unit({11, 10}, 200, "outlier")});
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->measurement, 101);
    EXPECT_EQ(choice->data, (std::vector<DataRatio>{{"uniform", 1.05}, {"outlier", 1.0}}));
}

}  // namespace
}  // namespace redtune::search
