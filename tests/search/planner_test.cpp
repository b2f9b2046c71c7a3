#include "tuner/search/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "tests/search/sweep_fixture.h"
#include "tuner/search/history.h"

namespace redtune::search {
namespace {

using testing::ElementsAre;
using testing::Gt;
using testing::IsEmpty;

/// An executor that counts the candidates of which a plan asks whether they can be measured.
class AskedExecutor : public FakeExecutor {
  public:
    bool offers(const Trial&, std::uint64_t, Regime) const override {
        ++asked;
        return true;
    }

    mutable std::size_t asked = 0;
};

class PlannerTest : public SweepTest {
  protected:
    /// Tunes the sizes of a request.
    void tune(const SweepRequest& request) { Sweep(asked_, store_, families_, request).run({}, stop_); }

    /// Plans a request.
    /// @return for each call of has_work, how many candidates the plan had listed before
    std::vector<std::size_t> listed_before_work(const SweepRequest& request) {
        const History history(store_, asked_, families_, request);
        std::vector<std::size_t> listed;
        asked_.asked = 0;
        plan_sweep(asked_, families_, request, history, false, [&] { listed.push_back(asked_.asked); });
        return listed;
    }

    SweepRequest request(std::vector<std::uint64_t> sizes, Effort effort = Effort::exhaustive) const {
        SweepRequest request;
        request.problem = make_problem("sum", Type::f32);
        request.sizes = std::move(sizes);
        request.regimes = {Regime::cold};
        request.effort = effort;
        return request;
    }

    AskedExecutor asked_;
};

TEST_F(PlannerTest, ASizeWithoutAWinnerIsWorkBeforeCandidatesAreListed) {
    EXPECT_THAT(listed_before_work(request({1 << 18, 1 << 20})), ElementsAre(0));
    tune(request({1 << 18}));
    EXPECT_THAT(listed_before_work(request({1 << 18, 1 << 20})), ElementsAre(0));
}

TEST_F(PlannerTest, ASizeThatWasSearchedWithLessEffortIsWork) {
    tune(request({1 << 18, 1 << 20}, Effort::quick));
    EXPECT_THAT(listed_before_work(request({1 << 18, 1 << 20}, Effort::exhaustive)), ElementsAre(Gt(0)));
}

TEST_F(PlannerTest, SizesThatAreTunedAreNoWork) {
    tune(request({1 << 18, 1 << 20}));
    EXPECT_THAT(listed_before_work(request({1 << 18, 1 << 20})), IsEmpty());
    EXPECT_THAT(listed_before_work(request({1 << 18}, Effort::quick)), IsEmpty());
}

}  // namespace
}  // namespace redtune::search
