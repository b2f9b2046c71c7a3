#include "tuner/search/ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::search {
namespace {

/// Tests with an environment that no launcher has made, whatever has started the tests.
class RanksTest : public ::testing::Test {
  protected:
    RanksTest() {
        for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS",
                                 "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "PMI_JOBID"}) {
            set(name, "");
        }
    }
    void set(const char* name, const std::string& value) {
        variables_.push_back(std::make_unique<db::ScopedVariable>(name, value));
    }
    ~RanksTest() override {
        while (!variables_.empty()) variables_.pop_back();  // the latest first
    }

  private:
    std::vector<std::unique_ptr<db::ScopedVariable>> variables_;
};

TEST_F(RanksTest, AProcessAloneHasNoRank) {
    EXPECT_EQ(ranks_of_environment(), std::nullopt);
    set("PMI_RANK", "0");
    set("PMI_SIZE", "1");
    EXPECT_EQ(ranks_of_environment(), std::nullopt);
}

TEST_F(RanksTest, OpenMpiIsRecognised) {
    set("OMPI_COMM_WORLD_RANK", "5");
    set("OMPI_COMM_WORLD_SIZE", "8");
    set("OMPI_COMM_WORLD_LOCAL_RANK", "1");
    set("OMPI_MCA_ess_base_jobid", "77");
    set("PMIX_NAMESPACE", "78");
    EXPECT_EQ(ranks_of_environment(), (Ranks{5, 8, 1, "77 78 "}));
}

TEST_F(RanksTest, MpichIsRecognised) {
    set("PMI_RANK", "2");
    set("PMI_SIZE", "3");
    EXPECT_EQ(ranks_of_environment(), (Ranks{2, 3, 2, " "}));
}

TEST_F(RanksTest, AScriptOfSbatchIsNoRank) {
    set("SLURM_PROCID", "0");
    EXPECT_EQ(ranks_of_environment(), std::nullopt);
    set("SLURM_STEP_NUM_TASKS", "4");
    set("SLURM_LOCALID", "0");
    set("SLURM_JOB_ID", "9");
    set("SLURM_STEP_ID", "0");
    EXPECT_EQ(ranks_of_environment(), (Ranks{0, 4, 0, "9 0 "}));
}

TEST_F(RanksTest, WhatIsNoNumberIsRefused) {
    set("PMI_RANK", "two");
    set("PMI_SIZE", "3");
    EXPECT_THAT([] { ranks_of_environment(); },
                ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("PMI_RANK is 'two'")));
}

}  // namespace
}  // namespace redtune::search
