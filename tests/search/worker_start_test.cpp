// When workers start and end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/search/worker_fixture.h"

namespace redtune::search {
namespace {

using testing::IsEmpty;

class WorkerStartTest : public WorkerExecutorTest {};

TEST_F(WorkerStartTest, PlanningStartsNoWorker) {
    EXPECT_FALSE(Sweep(worker_executor(), store_, families_, request()).plan().is_done());
    EXPECT_THAT(events("start"), IsEmpty());
}

TEST_F(WorkerStartTest, ASweepThatRunsAtOnceStartsItsWorkerWhileItIsPlanned) {
    SweepRequest at_once = request();
    at_once.runs_at_once = true;
    Sweep sweep(worker_executor(), store_, families_, at_once);
    wait_for_event("open");
    EXPECT_FALSE(sweep.run({}, stop_).interrupted);
    EXPECT_EQ(winners_in(store_), winners_in_process());
    EXPECT_EQ(events("start").size(), 1U);

    EXPECT_TRUE(Sweep(worker_executor(), store_, families_, at_once).plan().is_done());
    EXPECT_EQ(events("start").size(), 1U) << "nothing is to be measured";
}

TEST_F(WorkerStartTest, NobodyWaitsForAWorkerThatIsNotNeeded) {
    misbehave("open = stop");
    worker_executor().begin_warm_up();
    wait_for_event("open");
    executor_by_worker_.reset();
}

TEST_F(WorkerStartTest, AFlagEndsAPreparationAndTheNextRequestIsAnswered) {
    WorkerExecutor& executor = worker_executor();
    const std::vector<Trial> trials = Sweep(executor, store_, families_, request()).plan().cells[0].trials;
    misbehave(std::string("prepare ") + victim + " = hang");
    std::atomic<bool> is_enough = false;
    std::thread impatient([&] {
        wait_for_event(std::string("prepare ") + victim);
        is_enough = true;
    });
    executor.prepare(trials, {}, is_enough);
    impatient.join();
    EXPECT_EQ(executor.measure(trials[0], small_size, Regime::cold, Stage::screen, 0).status, Status::ok);
}

TEST_F(WorkerStartTest, AWorkerThatWasToldToEndIsReplaced) {
    WorkerExecutor& executor = worker_executor();
    const std::vector<Trial> trials = Sweep(executor, store_, families_, request()).plan().cells[0].trials;
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(executor.measure(trials[0], small_size, Regime::cold, Stage::screen, 0).status, Status::ok);
        executor.begin_finish();
    }
    EXPECT_EQ(events("start").size(), 2U);
}

}  // namespace
}  // namespace redtune::search
