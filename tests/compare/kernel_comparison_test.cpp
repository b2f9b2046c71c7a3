#include "compare/kernel_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/devices.h"
#include "tests/support/source_path.h"

namespace redtune::compare {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FindCells : public ::testing::Test {
  protected:
    std::vector<KernelCells> find(const std::vector<Family>& old_families) {
        return find_cells(request_, catalog_, test_support::h200(), families_, old_families, failures_);
    }

    CellRequest request_{{{make_problem("sum", Type::f32)}, {make_problem("min", Type::u8)}},
                         {1 << 10, 1 << 20, std::uint64_t{1} << 30},
                         {Regime::cold, Regime::warm},
                         {0, 1}};
    Catalog catalog_ = Catalog::open({"/nonexistent/redtune.db", test::shipped_data()});
    std::vector<Family> families_ = jit::SourceSet::load().families();
    std::vector<std::string> failures_;
};

TEST_F(FindCells, ThereIsOneForEachTunedSizeRegimeAndOffset) {
    const std::vector<KernelCells> problems = find(families_);
    ASSERT_THAT(problems, SizeIs(1)) << "minima of u8 are not tuned";
    // The largest size exceeds half of the L2, so it is compared in the cold regime only.
    EXPECT_THAT(problems.front().cells, SizeIs(2 * (3 + 2)));
    for (const KernelCell& cell : problems.front().cells) {
        EXPECT_EQ(cell.new_trial.configuration, cell.old_trial.configuration);
        EXPECT_LE(cell.cell.offset, 1U);
    }
    EXPECT_THAT(failures_, IsEmpty());
}

TEST_F(FindCells, ACellThatAVersionLacksIsAFailure) {
    EXPECT_THAT(find({}), IsEmpty());
    EXPECT_THAT(failures_, AllOf(SizeIs(10), Each(HasSubstr("the old sources have no such configuration"))));
}

}  // namespace
}  // namespace redtune::compare
