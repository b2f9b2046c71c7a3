#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "redtune.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune {
namespace {

using ::testing::HasSubstr;

/// Tunes sum of f32 on the shipped recording.
class CTuneTest : public ::testing::Test {
  protected:
    CTuneTest() {
        options_.recording = "nvidia-h200";
        options_.database = database_.c_str();
        options_.no_between = 1;
    }
    redtune_status tune() { return redtune_tune(&sum_, sizes_.data(), sizes_.size(), &options_, &result_); }
    redtune_status refused_with(const char* phrase) {
        const redtune_status status = tune();
        EXPECT_THAT(redtune_last_error(), HasSubstr(phrase));
        return status;
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data()};
    db::ScopedVariable cache_{"REDTUNE_CACHE", folder_.path().c_str()};
    std::string database_ = (folder_ / "test.db").string();
    std::array<std::uint64_t, 2> sizes_ = {1024, 4096};
    redtune_problem sum_ = {sizeof(redtune_problem), "sum", "f32", nullptr, nullptr, 0, 0, nullptr, nullptr, 0};
    redtune_tune_options options_ = {
        sizeof(redtune_tune_options), nullptr, 0, 0, 0, 0, nullptr, nullptr, nullptr, nullptr};
    redtune_tune_result result_ = {sizeof(redtune_tune_result), 0, 0, 0, 0, 0};
};

TEST_F(CTuneTest, TunesEachSize) {
    options_.effort = "quick";
    ASSERT_EQ(tune(), REDTUNE_OK) << redtune_last_error();
    EXPECT_EQ(result_.screened, 64U) << "32 of each size";
    EXPECT_EQ(result_.sizes_without_winner, 0U);
    EXPECT_EQ(result_.is_interrupted, 0);
    ASSERT_EQ(redtune_tune(&sum_, sizes_.data(), sizes_.size(), &options_, nullptr), REDTUNE_OK) << "no result wanted";
}

TEST_F(CTuneTest, TheCallbackMayEndTheCall) {
    std::uint64_t last_n = 0;
    options_.context = &last_n;
    options_.progress = [](const redtune_tune_progress* now, void* context) {
        *static_cast<std::uint64_t*>(context) = now->n;
        return now->size == sizeof(redtune_tune_progress) && now->screened >= 10 ? 1 : 0;
    };
    ASSERT_EQ(tune(), REDTUNE_OK) << redtune_last_error();
    EXPECT_EQ(last_n, 1024U);
    EXPECT_EQ(result_.screened, 10U);
    EXPECT_EQ(result_.is_interrupted, 1);
}

TEST_F(CTuneTest, ASpentBudgetIsReported) {
    options_.budget_s = std::numeric_limits<double>::min();
    ASSERT_EQ(tune(), REDTUNE_OK) << redtune_last_error();
    EXPECT_EQ(result_.is_out_of_time, 1);
    EXPECT_EQ(result_.screened, 2U);
}

TEST_F(CTuneTest, RefusesWhatItCannotTune) {
    EXPECT_EQ(redtune_tune(nullptr, sizes_.data(), 2, &options_, &result_), REDTUNE_INVALID_ARGUMENT);
    EXPECT_EQ(redtune_tune(&sum_, nullptr, 0, &options_, &result_), REDTUNE_INVALID_ARGUMENT);
    options_.effort = "hard";
    EXPECT_EQ(refused_with("there is no effort 'hard'"), REDTUNE_INVALID_ARGUMENT);
    options_.effort = nullptr;
    result_.size = 0;
    EXPECT_EQ(refused_with("redtune_tune_result.size is not set"), REDTUNE_INVALID_ARGUMENT);
    result_.size = sizeof result_;
    options_.size = 0;
    EXPECT_EQ(refused_with("redtune_tune_options.size is not set"), REDTUNE_INVALID_ARGUMENT);
    options_.size = sizeof options_;
    options_.recording = nullptr;
    options_.device = 99;
    EXPECT_EQ(tune(), REDTUNE_DEVICE_ERROR);
}

}  // namespace
}  // namespace redtune
