#include "tuner/launch/kernel_loader.h"

#include <gmock/gmock.h>

#include "db/location.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::launch {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A database with one winner, and the families of the library.
class KernelLoaderTest : public testing::Test {
  protected:
    KernelLoaderTest() {
        db::Store store = db::Store::open(folder_ / "user.db", db::Access::read_write);
        db::add_winner(store, db::h200(), problem_, n_, Regime::cold, winner(), 10);
    }

    /// Returns the configuration of tile_per_block that has the first value of every parameter.
    Candidate winner() const {
        Candidate made = db::candidate();
        const Family& family = jit::find_family(families_, "tile_per_block");
        made.configuration = {family.name, {}};
        for (const ParameterValues& parameter : family.parameters) {
            made.configuration.parameters.push_back({parameter.name, parameter.values.front()});
        }
        return made;
    }

    Match match() const {
        const auto found = catalog_->find(problem_, n_, db::h200().name);
        EXPECT_TRUE(found);
        return found.value_or(Match{});
    }

    std::string error_of(const Configuration& configuration) {
        try {
            const LaunchRule rule;
            loader_.prepare(std::vector{KernelRequest(configuration, rule)});
            return "no error";
        } catch (const InputError& error) {
            return error.what();
        }
    }

    static constexpr std::uint64_t n_ = 1 << 20;
    Problem problem_;
    db::TemporaryFolder folder_;
    jit::SourceSet sources_ = jit::SourceSet::load();
    std::vector<Family> families_ = sources_.families();
    jit::CubinCache cache_{folder_ / "cache", std::uint64_t{64} << 20};
    jit::Compiler compiler_{sources_, cache_, "sm_90"};
    KernelLoader loader_{compiler_, families_, problem_};
    std::optional<Catalog> catalog_;

    void SetUp() override { catalog_ = Catalog::open({folder_ / "user.db", folder_ / "none"}); }
};

TEST_F(KernelLoaderTest, CompilesWhatALookUpFoundOnce) {
    const Match found = match();
    const std::vector requests{KernelRequest(found)};
    jit::CompileCounts counts;
    loader_.prepare(requests, [&](const jit::CompileCounts& now) { counts = now; });
    EXPECT_EQ(counts.wanted, roles_of(*found.rule).size());
    EXPECT_EQ(counts.done, counts.wanted);
    EXPECT_EQ(counts.failed, 0U);
    loader_.prepare(requests, [](const jit::CompileCounts&) { ADD_FAILURE() << "the kernel is compiled already"; });
}

TEST_F(KernelLoaderTest, AMatchNamesTheKernelOfItsConfiguration) {
    const Match found = match();
    const Candidate stored = winner();
    EXPECT_EQ(*found.rule, stored.rule);
    const Family& family = jit::find_family(families_, stored.configuration.family);
    EXPECT_EQ(kernel_name(family, problem_, KernelRequest(found), KernelRole::first),
              kernel_name(family, problem_, {stored.configuration, stored.rule}, KernelRole::first));
}

TEST_F(KernelLoaderTest, AKernelThatDoesNotCompileFailsWhenItIsLoaded) {
    Candidate wrong = winner();
    for (Parameter& parameter : wrong.configuration.parameters) {
        if (parameter.name == "block") parameter.value = std::int64_t{33};  // a static_assert demands whole warps
    }
    loader_.prepare(std::vector{KernelRequest(wrong.configuration, wrong.rule)});
    try {
        loader_.load(wrong.configuration, wrong.rule);
        FAIL() << "it was loaded";
    } catch (const CompileError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("tile_per_block(block=33"), HasSubstr("whole warps")));
    }
}

TEST_F(KernelLoaderTest, AFamilyThatIsNotThereIsNamed) {
    EXPECT_THAT(error_of({"gone", {}}), AllOf(HasSubstr("'gone'"), HasSubstr("tile_per_block")));
}

TEST_F(KernelLoaderTest, AValueThatIsMissingIsNamedWithItsFamily) {
    Configuration configuration = winner().configuration;
    std::erase_if(configuration.parameters, [](const Parameter& parameter) { return parameter.name == "block"; });
    EXPECT_THAT(error_of(configuration), AllOf(HasSubstr("'tile_per_block'"), HasSubstr("'block'")));
}

// Every shipped winner must fit the families of today, because a look-up must never return a winner whose kernels
// cannot be named.
TEST(ShippedWinners, NameKernelsOfTheFamilies) {
    const db::TemporaryFolder folder;
    const Catalog catalog = Catalog::open({folder / "none.db", test::shipped_data()});
    const std::vector<Family> families = jit::SourceSet::load().families();
    std::size_t named = 0;
    for (const std::string& device : catalog.devices()) {
        for (const Problem& problem : catalog.problems(device)) {
            for (const Regime regime : {Regime::cold, Regime::warm, Regime::back_to_back}) {
                for (const std::uint64_t n : catalog.tuned_sizes(problem, device, regime)) {
                    const auto match = catalog.find(problem, n, device, regime);
                    ASSERT_TRUE(match) << device << ' ' << problem.op << ' ' << n;
                    const Family& family = jit::find_family(families, match->family);
                    for (const KernelRole role : roles_of(*match->rule)) {
                        const jit::KernelName name = kernel_name(family, problem, KernelRequest(*match), role);
                        EXPECT_THAT(name.expression, HasSubstr(device_problem(problem)));
                        ++named;
                    }
                }
            }
        }
    }
    EXPECT_GT(named, 0U);
}

}  // namespace
}  // namespace redtune::launch
