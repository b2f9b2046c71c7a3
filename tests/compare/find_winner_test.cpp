#include "compare/find_winner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/source_path.h"

namespace redtune::compare {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class FindWinner : public testing::Test {
  protected:
    std::optional<Match> find(const Problem& problem, std::uint64_t n, Regime regime = Regime::cold) {
        return find_winner(catalog_, problem, n, regime, "NVIDIA H200", not_tuned_);
    }

    Catalog catalog_ = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    std::string not_tuned_;
};

TEST_F(FindWinner, ASizeBetweenTunedOnesGetsTheConfigurationThatAProgramGets) {
    const Problem problem = make_problem("sum", Type::f32);
    const auto match = find(problem, 1'000'003);
    ASSERT_TRUE(match.has_value());
    EXPECT_EQ(match->kind, MatchKind::between);
    EXPECT_EQ(match->family, catalog_.find(problem, 1'000'003, "NVIDIA H200")->family);
    EXPECT_EQ(find(problem, 1 << 20)->kind, MatchKind::exact);
    EXPECT_THAT(not_tuned_, IsEmpty());
}

TEST_F(FindWinner, AProblemThatIsNotTunedIsReportedWithTheCommandThatTunesIt) {
    Problem problem = make_problem("product", Type::f16);
    problem.row_length = 1000;
    problem.determinism = Determinism::run_to_run;
    EXPECT_FALSE(find(problem, 4000, Regime::warm).has_value());
    EXPECT_EQ(not_tuned_,
              "not tuned; `redtune tune --op product --dtype f16 --shape rows:1000 --determinism run_to_run "
              "--size 4000 --regime warm` does that");
}

}  // namespace
}  // namespace redtune::compare
