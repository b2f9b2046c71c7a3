#include "db/measured_kernels.h"

#include <gtest/gtest.h>

#include "tests/support/store_write_fixture.h"

namespace redtune::db {
namespace {

class MeasuredKernelsTest : public StoreWriteTest {
  protected:
    void SetUp() override {
        Problem maximum = problem_;
        maximum.op = "max";
        add(problem_, 2);
        add(problem_, 4);
        add(maximum, 4);
    }
    void add(const Problem& problem, int unroll) {
        const std::int64_t sweep = store_.begin_sweep(h200(), problem, toolchain(), "gpu", "redtune tune");
        const Candidate tried = candidate(unroll);
        store_.record(sweep, tried, "old", mi16, Regime::cold, make_plan(tried.rule, mi16), measurement(10));
        store_.finish_sweep(sweep, "finished");
    }
    std::vector<MeasuredKernels> find(const char* code_hash) const {
        return find_measured_kernels(store_.connection(), family_, code_hash);
    }

    const std::string family_ = candidate().configuration.family;
};

TEST_F(MeasuredKernelsTest, FindsEachConfigurationForEachProblem) {
    const auto found = find("old");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].configuration, candidate(2).configuration);
    EXPECT_EQ(found[0].rule, candidate(2).rule);
    EXPECT_EQ(found[0].problem.op, "sum");
    EXPECT_EQ(found[2].configuration, candidate(4).configuration);
    EXPECT_EQ(found[2].problem.op, "max");
    EXPECT_TRUE(find("other").empty());
}

TEST_F(MeasuredKernelsTest, GivesOnlyTheseMeasurementsAnotherCode) {
    const auto before = find("old");
    EXPECT_EQ(store_.set_code(std::vector{before[1]}, family_, "new"), 1);
    const auto changed = find("new");
    ASSERT_EQ(changed.size(), 1U);
    EXPECT_EQ(changed[0].configuration, candidate(4).configuration);
    EXPECT_EQ(changed[0].problem.op, "sum");
    const auto left = find("old");
    ASSERT_EQ(left.size(), 2U);
    EXPECT_EQ(left[0].configuration, candidate(2).configuration);
    EXPECT_EQ(left[1].problem.op, "max") << "it has the same configuration, but was not given";
    expect_sound();
}

TEST_F(MeasuredKernelsTest, RemovesTheCodeThatNothingHas) {
    EXPECT_EQ(store_.set_code(find("old"), family_, "new"), 3);
    EXPECT_EQ(count("family"), 1);
    EXPECT_EQ(count("configuration"), 2);
    EXPECT_EQ(count("measurement"), 3);
    expect_sound();
}

}  // namespace
}  // namespace redtune::db
