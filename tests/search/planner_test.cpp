#include "tuner/search/planner.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tests/search/sweep_fixture.h"
#include "tuner/search/history.h"

namespace redtune::search {
namespace {

class PlannerTest : public SweepTest {
  protected:
    static SweepRequest request(std::vector<std::uint64_t> sizes, Effort effort = Effort::exhaustive) {
        SweepRequest request;
        request.problem = make_problem("sum", Type::f32);
        request.sizes = std::move(sizes);
        request.regimes = {Regime::cold};
        request.effort = effort;
        return request;
    }

    void tune(const SweepRequest& request) { Sweep(executor_, store_, families_, request).run({}, stop_); }

    /// Plans a request and counts the calls of has_work.
    void plan(const SweepRequest& request) {
        const History history(store_, executor_, families_, request);
        calls_ = 0;
        plan_sweep(executor_, families_, request, history, false, [&] { ++calls_; });
    }

    int calls_ = 0;
};

TEST_F(PlannerTest, ASizeWithoutAWinnerIsWorkBeforeCandidatesAreListed) {
    tune(request({1 << 18}));
    families_.back().where.push_back({"", "no_such_value > 1", 7});  // so candidates cannot be listed
    EXPECT_THROW(plan(request({1 << 18, 1 << 20})), InputError);
    EXPECT_EQ(calls_, 1);
}

TEST_F(PlannerTest, WorkIsReportedOnce) {
    plan(request({1 << 18, 1 << 20}));
    EXPECT_EQ(calls_, 1) << "no size has a winner";
    tune(request({1 << 18, 1 << 20}, Effort::quick));
    plan(request({1 << 18, 1 << 20}, Effort::exhaustive));
    EXPECT_EQ(calls_, 1) << "the winners are of less effort";
}

TEST_F(PlannerTest, SizesThatAreTunedAreNoWork) {
    tune(request({1 << 18, 1 << 20}));
    plan(request({1 << 18, 1 << 20}));
    EXPECT_EQ(calls_, 0);
    plan(request({1 << 18}, Effort::quick));
    EXPECT_EQ(calls_, 0);
}

}  // namespace
}  // namespace redtune::search
