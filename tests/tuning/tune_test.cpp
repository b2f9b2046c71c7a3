#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/catalog.h"
#include "redtune/error.h"
#include "redtune/tuning.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Tunes sum of f32 on the shipped recording.
class TuneFromAProgram : public ::testing::Test {
  protected:
    TuneFromAProgram() {
        options_.sizes = {4096, 1024};
        options_.between = 0;
        options_.recording = "nvidia-h200";
        options_.database = folder_ / "test.db";
    }
    /// Returns the configuration that a catalog of the database alone gives for n elements.
    std::string winner(std::uint64_t n) const {
        const Catalog catalog = Catalog::open({folder_ / "test.db", folder_ / "no system data"});
        const auto match = catalog.find(problem_, n, "NVIDIA H200");
        return match && match->kind == MatchKind::exact ? std::string(match->family) : "";
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data()};
    db::ScopedVariable cache_{"REDTUNE_CACHE", folder_.path().c_str()};
    Problem problem_ = make_problem("sum", Type::f32);
    TuneOptions options_;
};

TEST_F(TuneFromAProgram, StoresAWinnerOfEachSize) {
    std::size_t calls = 0;
    TuneProgress last;
    options_.progress = [&](const TuneProgress& progress) {
        ++calls;
        last = progress;
    };
    const TuneResult result = tune(problem_, options_);
    EXPECT_EQ(result.screened, 200U) << "standard effort screens 100 candidates of a size";
    EXPECT_EQ(result.sizes_without_winner, 0U);
    EXPECT_FALSE(result.is_interrupted || result.is_out_of_time);
    EXPECT_EQ(winner(1024), "single_block");
    EXPECT_EQ(winner(4096), "single_block");
    EXPECT_GT(calls, 200U);
    EXPECT_EQ(last.n, 4096U) << "sizes are tuned in ascending order";
    EXPECT_GT(last.best_us, 1);
    EXPECT_EQ(tune(problem_, options_).screened, 0U) << "everything is measured already";
}

TEST_F(TuneFromAProgram, StopEndsItAndTheNextCallContinues) {
    std::atomic<bool> stop = false;
    options_.stop = &stop;
    options_.progress = [&](const TuneProgress& progress) { stop = progress.screened >= 30; };
    EXPECT_TRUE(tune(problem_, options_).is_interrupted);
    options_.stop = nullptr;
    EXPECT_EQ(tune(problem_, options_).screened, 200U - 30U);
    EXPECT_NE(winner(4096), "");
}

TEST_F(TuneFromAProgram, ASpentBudgetLeavesAWinnerOfEachSize) {
    options_.budget = std::chrono::seconds(0);
    const TuneResult result = tune(problem_, options_);
    EXPECT_TRUE(result.is_out_of_time);
    EXPECT_EQ(result.screened, 2U);
    EXPECT_NE(winner(1024), "");
    EXPECT_NE(winner(4096), "");
}

TEST_F(TuneFromAProgram, ACatalogSeesTheResultsAfterItsReload) {
    Catalog catalog = Catalog::open({folder_ / "test.db", folder_ / "no system data"});
    EXPECT_FALSE(catalog.find(problem_, 1024, "NVIDIA H200"));
    tune(problem_, options_);
    EXPECT_FALSE(catalog.find(problem_, 1024, "NVIDIA H200"));
    catalog.reload();
    EXPECT_TRUE(catalog.find(problem_, 1024, "NVIDIA H200"));
}

TEST_F(TuneFromAProgram, RefusesWhatItCannotTuneAndStoresNothing) {
    const auto refused = [&](const TuneOptions& options, const char* phrase) {
        EXPECT_THAT([&] { tune(problem_, options); }, ThrowsMessage<InputError>(HasSubstr(phrase)));
    };
    const auto with = [&](auto change) {
        TuneOptions options = options_;
        change(options);
        return options;
    };
    refused(with([](TuneOptions& o) { o.sizes = {}; }), "sizes is empty");
    refused(with([](TuneOptions& o) { o.regimes = {}; }), "regimes is empty");
    refused(with([](TuneOptions& o) { o.effort = "quik"; }), "did you mean 'quick'?");
    refused(with([](TuneOptions& o) { o.recording = "nvidia-h300"; }), "nvidia-h200");
    refused(with([](TuneOptions& o) { o.sizes = {1000}; }), "n = 1000 cannot be measured");
    refused(with([](TuneOptions& o) { o.operator_file = o.operator_source = "x"; }), "given twice");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "test.db"));
}

TEST_F(TuneFromAProgram, ADeviceThatIsNotThereIsADeviceError) {
    options_.recording.clear();
    options_.device = 99;
    EXPECT_THROW(tune(problem_, options_), DeviceError);
}

}  // namespace
}  // namespace redtune
