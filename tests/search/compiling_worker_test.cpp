// Sweeps in which worker processes compile while another one measures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/search/worker_fixture.h"

namespace redtune::search {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class CompilingWorkerTest : public WorkerExecutorTest {
  protected:
    CompilingWorkerTest() {
        effort_ = Effort::quick;
        most_compilers_ = 2;
    }
};

TEST_F(CompilingWorkerTest, OneWorkerMeasuresAndTwoCompileAtMost) {
    run();
    EXPECT_EQ(winners_in(store_), winners_in_process());
    const std::size_t compilers = events("open compiler").size();
    EXPECT_GE(compilers, 1U);
    EXPECT_LE(compilers, most_compilers_);
    EXPECT_THAT(events("start"), SizeIs(compilers + 1));
}

TEST_F(CompilingWorkerTest, CompilersThatDieCostOnlyTime) {
    misbehave("open compiler = kill");
    EXPECT_EQ(run().failed, 0U);
    EXPECT_EQ(winners_in(store_), winners_in_process());
    EXPECT_THAT(failures(), IsEmpty());
    EXPECT_FALSE(events("prepare fake").empty()) << "the worker that measures compiles, before it measures";
}

TEST_F(CompilingWorkerTest, ATrialThatTakesTheMeasuringWorkerDownCostsOnlyItself) {
    misbehave(std::string("measure ") + victim + " = segfault");
    EXPECT_EQ(run().failed, 2U);
    EXPECT_EQ(winners_in(store_), winners_in_process());
    EXPECT_THAT(failures("status"), testing::ElementsAre("fault", "fault"));
}

TEST_F(CompilingWorkerTest, WithoutAMeasuringWorkerTheSweepEndsAndNoTrialIsBlamed) {
    misbehave("open = kill");
    EXPECT_THROW(run(), ExecutorLost);
    EXPECT_THAT(failures(), IsEmpty());
}

TEST_F(CompilingWorkerTest, CtrlCEndsASweepWhoseCompilersHang) {
    misbehave("open compiler = stop");
    std::thread ctrl_c([&] {
        wait_for_event("open compiler");
        stop_ = true;
    });
    EXPECT_TRUE(run().interrupted);
    ctrl_c.join();
}

}  // namespace
}  // namespace redtune::search
