#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "db/connection.h"
#include "tests/search/sweep_fixture.h"
#include "tuner/core/program_folder.h"
#include "tuner/search/worker_executor.h"

namespace redtune::search {

inline constexpr const char* victim = "fake(block=64, blocks_per_sm=1)";  // never wins
inline constexpr const char* second_best = "fake(block=128, blocks_per_sm=1)";
inline constexpr std::uint64_t small_size = 1 << 18;
inline constexpr std::uint64_t large_size = 1 << 20;

/// Sweeps in which tests/search/programs/misbehaving_worker.cpp measures.
class WorkerExecutorTest : public SweepTest {
  protected:
    WorkerExecutorTest() { limits_.least_measure_s = 60; }
    ~WorkerExecutorTest() override {
        executor_by_worker_.reset();
        errno = 0;
        EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a worker was left behind";
        EXPECT_EQ(errno, ECHILD);
    }

    /// Makes all workers from now on do this. @param behaviour lines "EVENT = BEHAVIOUR"
    void misbehave(const std::string& behaviour) {
        behaviour_.reset();
        behaviour_ = std::make_unique<db::ScopedVariable>("REDTUNE_TEST_WORKER", behaviour);
    }

    WorkerExecutor& worker_executor() {
        executor_by_worker_ = std::make_unique<WorkerExecutor>(
            std::make_unique<FakeExecutor>(), WorkerCommand{program_folder() / "misbehaving_worker", {}}, WorkerTask{},
            stop_, limits_);
        executor_by_worker_->let_compile(most_compilers_);
        return *executor_by_worker_;
    }

    SweepRequest request() const {
        SweepRequest request;
        request.problem = make_problem("sum", Type::f32);
        request.sizes = sizes_;
        request.regimes = {Regime::cold};
        request.command = "test";
        request.data = data_;
        request.between = between_;
        request.effort = effort_;
        return request;
    }

    SweepResult run() {
        lost_.clear();
        const auto collect = [&](const SweepProgress& progress) {
            if (progress.phase == SweepProgress::Phase::trial_lost)
                lost_.push_back(progress.lost + " " + progress.reason);
        };
        return Sweep(worker_executor(), store_, families_, request()).run(collect, stop_);
    }

    /// Returns the winners of a sweep in this process, in a database of its own.
    std::vector<std::string> winners_in_process() {
        db::Store store = db::Store::open(folder_ / "in_process.db", db::Access::read_write);
        FakeExecutor executor;
        Sweep(executor, store, families_, request()).run({}, stop_);
        return winners_in(store);
    }
    std::vector<std::string> winners_in(const db::Store& store) const {
        std::vector<std::string> winners;
        for (const std::uint64_t n : sizes_) {
            const auto winner = store.winner(executor_.device(), request().problem, n, Regime::cold, Determinism::any);
            winners.push_back(winner ? to_string(winner->measurement.configuration) : "none");
        }
        return winners;
    }

    /// Returns the failures that are stored, as "STATUS n=N STAGE", in the order in which they were stored.
    std::vector<std::string> failures(const std::string& columns = "status || ' n=' || n || ' ' || stage") const {
        const db::Connection connection = db::Connection::open(folder_ / "test.db", db::OpenMode::read_only);
        db::Statement rows = connection.prepare("SELECT " + columns + " FROM failures ORDER BY measurement_id");
        std::vector<std::string> list;
        while (rows.step()) list.push_back(rows.text(0));
        return list;
    }

    /// Returns the events of the workers that begin with this text.
    std::vector<std::string> events(const std::string& begin) const {
        std::ifstream log(log_);
        std::vector<std::string> found;
        for (std::string line; std::getline(log, line);) {
            if (line.starts_with(begin)) found.push_back(line);
        }
        return found;
    }
    /// Waits until an event has happened; fails after a minute.
    void wait_for_event(const std::string& begin) const {
        for (int i = 0; i < 6000 && events(begin).empty(); ++i) usleep(10'000);
        EXPECT_FALSE(events(begin).empty());
    }

    std::filesystem::path log_ = folder_ / "worker.log";
    db::ScopedVariable log_variable_{"REDTUNE_TEST_WORKER_LOG", log_.string()};
    std::unique_ptr<db::ScopedVariable> behaviour_;
    std::vector<std::uint64_t> sizes_ = {small_size, large_size};
    std::vector<timing::Data> data_ = {timing::Data()};
    std::size_t between_ = 0;
    Effort effort_ = Effort::exhaustive;
    std::size_t most_compilers_ = 0;
    WorkerLimits limits_;
    std::vector<std::string> lost_;  // trials that the sweep reported as lost
    std::unique_ptr<WorkerExecutor> executor_by_worker_;
};

}  // namespace redtune::search
