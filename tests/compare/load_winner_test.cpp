#include "compare/load_winner.h"

#include <gmock/gmock.h>

#include "db/location.h"
#include "redtune/catalog.h"
#include "tests/support/database_fixture.h"
#include "tuner/jit/source_set.h"

namespace redtune::compare {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class LoadWinner : public testing::Test {
  protected:
    /// Stores a configuration as the winner and returns the failure of load_winner() for it, or "loaded".
    std::string failure_of(const Configuration& configuration) {
        Candidate winner = db::candidate();
        winner.configuration = configuration;
        {
            db::Store store = db::Store::open(folder_ / "user.db", db::Access::read_write);
            db::add_winner(store, db::h200(), problem_, n_, Regime::cold, winner, 10);
        }
        const Catalog catalog = Catalog::open({folder_ / "user.db", folder_ / "none"});
        const auto match = catalog.find(problem_, n_, db::h200().name);
        if (!match) return "no match";
        std::string failure;
        return load_winner(loader_, *match, failure) ? "loaded" : failure;
    }

    /// Returns the configuration of tile_per_block that has the first value of every parameter.
    Configuration first_configuration() const {
        const Family& family = jit::find_family(families_, "tile_per_block");
        Configuration configuration{family.name, {}};
        for (const ParameterValues& parameter : family.parameters) {
            configuration.parameters.push_back({parameter.name, parameter.values.front()});
        }
        return configuration;
    }

    static constexpr std::uint64_t n_ = 1 << 20;
    Problem problem_;
    db::TemporaryFolder folder_;
    jit::SourceSet sources_ = jit::SourceSet::load();
    std::vector<Family> families_ = sources_.families();
    jit::CubinCache cache_{folder_ / "cache", std::uint64_t{64} << 20};
    jit::Compiler compiler_{sources_, cache_, "sm_90"};
    launch::KernelLoader loader_{compiler_, families_, problem_};
};

TEST_F(LoadWinner, AFamilyThatNoLongerExistsIsAFailure) {
    EXPECT_THAT(failure_of({"gone", {}}),
                AllOf(HasSubstr("there is no family 'gone'"), HasSubstr("tune this size again")));
}

TEST_F(LoadWinner, AParameterThatTheFamilyLostIsAFailure) {
    Configuration configuration = first_configuration();
    configuration.parameters.push_back({"gone", std::int64_t{1}});
    EXPECT_THAT(failure_of(configuration),
                AllOf(HasSubstr("has no parameter 'gone'"), HasSubstr("tune this size again")));
}

TEST_F(LoadWinner, AKernelThatNoLongerCompilesIsAFailure) {
    Configuration configuration = first_configuration();
    for (Parameter& parameter : configuration.parameters) {
        if (parameter.name == "block") parameter.value = std::int64_t{33};  // a static_assert demands whole warps
    }
    EXPECT_THAT(failure_of(configuration), AllOf(HasSubstr("whole warps"), HasSubstr("tune this size again")));
}

}  // namespace
}  // namespace redtune::compare
