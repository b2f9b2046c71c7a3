#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "tests/search/worker_fixture.h"
#include "tuner/core/program_folder.h"
#include "tuner/search/remote_worker.h"
#include "tuner/search/worker_channel.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::search {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

TEST_F(WorkerExecutorTest, MeasuresWhatIsMeasuredInProcess) {
    const SweepResult result = run();
    EXPECT_EQ(result.failed, 0U);
    EXPECT_EQ(winners_in(store_), winners_in_process());
    const db::Store other = db::Store::open(folder_ / "in_process.db", db::Access::read_only);
    constexpr const char* sum = "SELECT count(*) || ' ' || sum(time_us) FROM measurements";
    EXPECT_EQ(store_.connection().text(sum), other.connection().text(sum));
    // The requests for the next two trials are sent before a better time is known, so that slow ones are stopped later.
    constexpr const char* samples = "SELECT sum(samples) FROM measurements";
    EXPECT_GE(std::stoi(store_.connection().text(samples)), std::stoi(other.connection().text(samples)));
    EXPECT_EQ(events("start").size(), 1U);
}

TEST_F(WorkerExecutorTest, TheWorkerDoesNotCheckACandidateThatHasPassedAtTheHardSizesAgain) {
    sizes_ = {small_size};
    run();
    EXPECT_THAT(events("skip"), ElementsAre());
    sizes_ = {large_size, 2 * large_size};
    run();
    EXPECT_EQ(events("skip").size(), 8U) << "at the second size of the sweep";
}

TEST_F(WorkerExecutorTest, WhatTheWorkerSpentIsPartOfTheTiming) {
    const SweepResult result = run();
    EXPECT_NEAR(result.timing.gpu_busy_s(), FakeExecutor::seconds_of_measurement * static_cast<double>(result.measured),
                1e-9);
    EXPECT_EQ(result.timing.compiled_kernels, 8U) << "each is prepared once, and the worker has no cache";
}

/// Gives all trials of a list to be screened at one size.
class ListQueue final : public TrialQueue {
  public:
    ListQueue(std::vector<Trial> trials, std::uint64_t n, bool are_compiled = false)
        : trials_(std::move(trials)), n_(n), are_compiled_(are_compiled) {}
    std::optional<TrialRequest> next() override {
        if (given_ == trials_.size()) return std::nullopt;
        TrialRequest request{&trials_[given_++], n_};
        request.is_compiled = are_compiled_;
        return request;
    }
    void report(Measurement measurement, bool) override {
        if (throws) throw Error("the disk is full");
        statuses.emplace_back(to_string(measurement.status));
        reasons.push_back(measurement.reason);
    }

    std::vector<std::string> statuses;  // of the trials, in order
    std::vector<std::string> reasons;
    bool throws = false;  // report() throws

  private:
    std::vector<Trial> trials_;
    std::uint64_t n_;
    bool are_compiled_;
    std::size_t given_ = 0;
};

/// Answers as a worker does, but waits for the third request to measure a trial before it answers the first one.
void answer_three_at_a_time(int descriptor, const Capabilities& device) {
    WorkerChannel channel(descriptor);
    int measured = 0;
    for (std::string message; channel.receive(message, {}) == WorkerChannel::Outcome::done;) {
        const WorkerRequest request = request_from_message(message);
        WorkerReply reply = Prepared{};
        if (std::holds_alternative<OpenRequest>(request)) {
            reply = Opened{device.device().name, device.device().uuid, device.source(), device.toolchain()};
        } else if (std::holds_alternative<MeasureRequest>(request)) {
            if (++measured < 3) continue;
            Measurement measurement;
            measurement.median_us = 1;
            measurement.samples_us = {1};
            measurement.data = "uniform";
            reply = Measured{{measurement}, {}};
            for (int i = measured == 3 ? 2 : 0; i > 0; --i) channel.send(to_message(reply), {});
        }
        channel.send(to_message(reply), {});
    }
}

TEST_F(WorkerExecutorTest, TheNextTwoRequestsComeWhileATrialIsMeasured) {
    int sockets[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    std::thread worker([&] { answer_three_at_a_time(sockets[1], executor_); });
    {
        const auto start = [&] {
            return std::make_unique<RemoteWorker>(std::make_unique<WorkerChannel>(sockets[0]), "");
        };
        WorkerExecutor executor(std::make_unique<FakeExecutor>(), start, WorkerTask{}, stop_);
        std::vector<Trial> trials = Sweep(executor, store_, families_, request()).plan().cells[0].trials;
        trials.resize(4);
        ListQueue queue(trials, small_size);
        executor.measure_queue(queue);
        EXPECT_THAT(queue.statuses, ElementsAre("ok", "ok", "ok", "ok"));
    }
    worker.join();
}

TEST_F(WorkerExecutorTest, EachTrialGetsItsOwnMeasurementWhenWorkersAreLost) {
    WorkerExecutor& executor = worker_executor();
    std::vector<Trial> trials = Sweep(executor, store_, families_, request()).plan().cells[0].trials;
    trials.resize(5);
    misbehave("measure " + to_string(trials[1].configuration) + " = exit\nmeasure " +
              to_string(trials[2].configuration) + " = exit\nmeasure " + to_string(trials[4].configuration) +
              " = lose_device");
    for (const std::uint64_t n : {small_size, large_size}) {
        ListQueue queue(trials, n);
        executor.measure_queue(queue);
        EXPECT_THAT(queue.statuses, ElementsAre("ok", "fault", "fault", "ok", "fault"));
    }
    const std::size_t measured = events("measure").size();
    ListQueue queue(trials, 1 << 22);
    executor.measure_queue(queue);
    EXPECT_THAT(queue.statuses, ElementsAre("ok", "fault", "fault", "ok", "fault"));
    EXPECT_EQ(events("measure").size(), measured + 2) << "those that failed at two sizes are not run";
}

TEST_F(WorkerExecutorTest, ATrialWhoseKernelIsInTheCacheGetsNoTimeToCompile) {
    limits_.least_measure_s = 1;
    WorkerExecutor& executor = worker_executor();
    std::vector<Trial> trials = Sweep(executor, store_, families_, request()).plan().cells[0].trials;
    trials.resize(2);
    misbehave("measure " + to_string(trials[1].configuration) + " = hang");
    ListQueue queue(trials, small_size, true);
    executor.measure_queue(queue);
    EXPECT_THAT(queue.statuses, ElementsAre("ok", "timeout"));
    EXPECT_THAT(queue.reasons.back(), HasSubstr("no answer within the limit of 1 s"));
}

TEST_F(WorkerExecutorTest, AScreeningThatThrowsLeavesNoReplyBehind) {
    WorkerExecutor& executor = worker_executor();
    const std::vector<Trial> trials = Sweep(executor, store_, families_, request()).plan().cells[0].trials;
    ListQueue queue(trials, small_size);
    queue.throws = true;
    EXPECT_THROW(executor.measure_queue(queue), Error);
    const Measurement measurement = executor.measure(trials[1], small_size, Regime::cold, Stage::survivor, 0);
    EXPECT_EQ(measurement.status, Status::ok) << measurement.reason;
}

/// A way to misbehave while the victim is measured, and the failure that is stored.
struct Misbehaviour {
    const char* behaviour;
    const char* status;
    const char* reason;
};

class MisbehavingWorkerTest : public WorkerExecutorTest, public ::testing::WithParamInterface<Misbehaviour> {};

TEST_P(MisbehavingWorkerTest, CostsOnlyTheTrialAndIsNotTriedAgain) {
    const auto& [behaviour, status, reason] = GetParam();
    if (std::string(status) == "timeout") limits_.least_measure_s = 1;
    misbehave(std::string("measure ") + victim + " = " + behaviour);
    const SweepResult result = run();
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(result.failed, 2U) << "one at each size";
    EXPECT_EQ(winners_in(store_), winners_in_process());
    const std::string stored = status;
    EXPECT_THAT(failures(), ElementsAre(stored + " n=262144 screen", stored + " n=1048576 screen"));
    EXPECT_THAT(failures("reason"), ::testing::Each(HasSubstr(reason)));
    EXPECT_THAT(lost_, ElementsAre(HasSubstr(victim), HasSubstr(stored + ": "))) << "one line of progress for each";
    EXPECT_EQ(events("start").size(), 3U);

    const std::size_t measured = events("measure").size();
    EXPECT_EQ(run().failed, 2U) << "those that are stored";
    EXPECT_EQ(events("measure").size(), measured) << "nothing is measured again";
}

INSTANTIATE_TEST_SUITE_P(
    All, MisbehavingWorkerTest,
    ::testing::Values(Misbehaviour{"segfault", "fault", "was killed by signal 11 (Segmentation fault)"},
                      Misbehaviour{"kill", "fault", "was killed by signal 9 (Killed; the system does so"},
                      Misbehaviour{"exit", "fault", "the worker process exited with code 7"},
                      Misbehaviour{"lose_device", "fault", "CUDA_ERROR_ILLEGAL_ADDRESS"},
                      Misbehaviour{"exhaust_memory", "out_of_memory", "the memory of this machine ran out"},
                      Misbehaviour{"stop", "timeout", "no answer within the limit of 1 s"},
                      Misbehaviour{"hang", "timeout", "no answer within the limit of 1 s"},
                      Misbehaviour{"garbage", "fault", "bytes came that do not begin a message"},
                      Misbehaviour{"truncated", "fault", "it ends in the middle of a message"},
                      Misbehaviour{"too_long", "fault", "a message of 4294967295 bytes was announced"},
                      Misbehaviour{"no_json", "fault", "a reply cannot be read"},
                      Misbehaviour{"unknown_reply", "fault", "there is no reply 'goodbye'"},
                      Misbehaviour{"other_reply", "fault", "the reply to another request"},
                      Misbehaviour{"progress", "fault", "progress of a request that has none"},
                      Misbehaviour{"no_measurement", "fault", "0 measurements of 1 trials"}),
    [](const auto& test) { return std::string(test.param.behaviour); });

TEST_F(WorkerExecutorTest, AConfigurationThatFailedAtTwoSizesIsNotRunAtOthers) {
    sizes_ = {small_size, large_size, 1 << 22};
    misbehave(std::string("measure ") + victim + " = exit");
    run();
    EXPECT_THAT(failures("reason"), ElementsAre(HasSubstr("code 7"), HasSubstr("code 7"),
                                                "not run, because it failed at n = 256Ki (fault) and at other sizes"));
    EXPECT_EQ(events(std::string("measure ") + victim).size(), 2U);
}

TEST_F(WorkerExecutorTest, ASurvivorThatFailsIsNoFinalist) {
    misbehave(std::string("survivor ") + second_best + " = segfault");
    run();
    EXPECT_EQ(winners_in(store_), winners_in_process());
    EXPECT_THAT(failures(), ElementsAre("fault n=262144 survivor", "fault n=1048576 survivor"));
}

TEST_F(WorkerExecutorTest, TheDataIsUsedAgainAfterALoss) {
    WorkerExecutor& executor = worker_executor();
    misbehave(std::string("measure ") + victim + " = exit");
    executor.use_data(timing::data_of(timing::DataKind::normal));
    const std::vector<Trial> trials = Sweep(executor, store_, families_, request()).plan().cells[0].trials;
    for (const Trial& trial : trials) {
        EXPECT_EQ(executor.measure(trial, small_size, Regime::cold, Stage::screen, 0).data, "normal");
    }
    EXPECT_EQ(events("data normal").size(), 2U);
}

TEST_F(WorkerExecutorTest, AWorkerThatDiesAtItsStartIsReplaced) {
    misbehave("first start = exit");
    EXPECT_EQ(run().failed, 0U);
    EXPECT_EQ(winners_in(store_), winners_in_process());
    EXPECT_EQ(events("start").size(), 2U);
}

TEST_F(WorkerExecutorTest, WithoutAWorkerTheSweepEndsAndNoTrialIsBlamed) {
    misbehave("start = exit");
    EXPECT_THAT([&] { run(); }, ThrowsMessage<ExecutorLost>(AllOf(HasSubstr("3 worker processes in a row failed"),
                                                                  HasSubstr("exited with code 7"))));
    EXPECT_THAT(failures(), IsEmpty());
    misbehave("prepare = segfault");
    EXPECT_THROW(run(), ExecutorLost);
    EXPECT_EQ(store_.connection().value("SELECT count(*) FROM measurements"), 0);
    EXPECT_EQ(store_.latest_sweep_status(executor_.device(), request().problem), "failed");
}

TEST_F(WorkerExecutorTest, AMissingProgramIsSaid) {
    WorkerExecutor executor(std::make_unique<FakeExecutor>(), {"/nowhere/redtune", {}}, {}, stop_);
    EXPECT_THAT([&] { executor.measure({}, small_size, Regime::cold, Stage::screen, 0); },
                ThrowsMessage<ExecutorLost>(HasSubstr("cannot start the worker process /nowhere/redtune: No such")));
}

TEST_F(WorkerExecutorTest, AnotherDeviceThanThePlannedOneIsRefused) {
    auto planned = std::make_unique<FakeExecutor>();
    planned->use_unit("GPU-other");
    WorkerExecutor executor(std::move(planned), {program_folder() / "misbehaving_worker", {}}, {}, stop_);
    EXPECT_THAT([&] { executor.measure({}, small_size, Regime::cold, Stage::screen, 0); },
                ThrowsMessage<ExecutorLost>(HasSubstr("the worker process measures on NVIDIA H200")));
}

TEST_F(WorkerExecutorTest, ATrialWhoseCompilationKillsTheWorkerIsFound) {
    misbehave(std::string("prepare ") + victim + " = segfault\nmeasure " + victim + " = segfault");
    EXPECT_EQ(run().failed, 2U);
    EXPECT_EQ(winners_in(store_), winners_in_process());
    EXPECT_THAT(failures(), ElementsAre("fault n=262144 screen", "fault n=1048576 screen"));
}

TEST_F(WorkerExecutorTest, SilenceEndsAPreparation) {
    limits_.silence_s = 1;
    limits_.compile_s = 0;
    misbehave(std::string("prepare ") + victim + " = hang");
    EXPECT_EQ(run().failed, 0U);
    EXPECT_EQ(winners_in(store_), winners_in_process());
}

TEST_F(WorkerExecutorTest, PreparesATrialOnce) {
    WorkerExecutor& executor = worker_executor();
    const std::vector<Trial> trials = Sweep(executor, store_, families_, request()).plan().cells[0].trials;
    std::size_t reports = 0;
    PrepareProgress last;
    for (int i = 0; i < 2; ++i) {
        executor.prepare(
            trials,
            [&](const PrepareProgress& progress) {
                ++reports;
                last = progress;
            },
            stop_);
    }
    EXPECT_EQ(reports, trials.size());
    EXPECT_EQ(last, (PrepareProgress{trials.size(), trials.size(), 0, 0}));
    EXPECT_EQ(events("prepare fake").size(), trials.size());
}

/// Sets the stop flag while a worker does not answer. The limits of all requests are a minute or more.
class StoppedWorkerTest : public WorkerExecutorTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(StoppedWorkerTest, CtrlCEndsTheSweepAndKeepsWhatIsStored) {
    const std::string event = GetParam();
    misbehave(event + " = stop");
    std::thread ctrl_c([&] {
        wait_for_event(event);
        stop_ = true;
    });
    const SweepResult result = run();
    ctrl_c.join();
    EXPECT_TRUE(result.interrupted);
    EXPECT_EQ(store_.connection().value("SELECT count(*) FROM measurements"), static_cast<int>(result.measured));
    EXPECT_THAT(failures(), IsEmpty()) << "the trial that was interrupted is not to blame";
    EXPECT_EQ(store_.latest_sweep_status(executor_.device(), request().problem), "interrupted");
    if (event.starts_with("survivor")) {
        EXPECT_GT(result.measured, 0U);
    }

    stop_ = false;
    misbehave("");
    EXPECT_FALSE(run().interrupted);
    EXPECT_EQ(winners_in(store_), winners_in_process());
}

INSTANTIATE_TEST_SUITE_P(All, StoppedWorkerTest,
                         ::testing::Values("start", "open", "prepare", "measure fake(block=64, blocks_per_sm=1)",
                                           "survivor fake(block=128, blocks_per_sm=2)",
                                           "compare fake(block=128, blocks_per_sm=2)"),
                         [](const auto& test) { return "Event" + std::to_string(test.index); });

/// Returns whether a process exists and is no zombie.
bool is_alive(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string id, name, state;
    return (file >> id >> name >> state) && state != "Z" && state != "X";
}

TEST_F(WorkerExecutorTest, AWorkerDiesWithItsParent) {
    misbehave(std::string("measure ") + victim + " = hang");
    const pid_t parent = fork();
    if (parent == 0) {
        run();
        std::_Exit(0);
    }
    wait_for_event(std::string("measure ") + victim);
    const pid_t worker = std::stoi(events("start").at(0).substr(6));
    EXPECT_TRUE(is_alive(worker));
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    for (int i = 0; i < 6000 && is_alive(worker); ++i) usleep(10'000);
    EXPECT_FALSE(is_alive(worker));
}

}  // namespace
}  // namespace redtune::search
