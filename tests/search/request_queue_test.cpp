#include "tuner/search/request_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tuner/search/executor.h"

namespace redtune::search {
namespace {

/// Runs `client` in this many threads, and serves them until all have left.
timing::TimeSpent serve(RequestQueue& queue, std::size_t clients, const std::function<void()>& client) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < clients; ++i) {
        threads.emplace_back([&] {
            client();
            queue.leave();
        });
    }
    const timing::TimeSpent waited = queue.serve();
    for (std::thread& thread : threads) thread.join();
    return waited;
}

TEST(RequestQueueTest, TheServingThreadRunsAllRequestsOneAfterAnother) {
    RequestQueue queue(3);
    const std::thread::id server = std::this_thread::get_id();
    int runs = 0;  // needs no lock, because one thread runs the requests
    serve(queue, 3, [&] {
        for (int i = 0; i < 100; ++i) {
            queue.run([&] {
                EXPECT_EQ(std::this_thread::get_id(), server);
                ++runs;
            });
        }
    });
    EXPECT_EQ(runs, 300);
}

TEST(RequestQueueTest, RunReturnsWhenTheRequestHasEnded) {
    RequestQueue queue(1);
    serve(queue, 1, [&] {
        bool has_run = false;
        queue.run([&] { has_run = true; });
        EXPECT_TRUE(has_run);
    });
}

TEST(RequestQueueTest, AFailedRequestFailsItsClientOnly) {
    RequestQueue queue(2);
    std::atomic<int> failures = 0;
    std::atomic<int> runs = 0;
    serve(queue, 2, [&] {
        try {
            queue.run([] { throw InputError("wrong"); });
        } catch (const InputError&) {
            ++failures;
        }
        queue.run([&] { ++runs; });
    });
    EXPECT_EQ(failures, 2);
    EXPECT_EQ(runs, 2);
}

TEST(RequestQueueTest, AfterTheDeviceIsLostNothingRuns) {
    RequestQueue queue(3);
    std::atomic<int> lost = 0;
    std::atomic<int> stopped = 0;
    serve(queue, 3, [&] {
        try {
            queue.run([] { throw DeviceError("the device is lost"); });
        } catch (const DeviceError&) {
            ++lost;
        } catch (const Stopped&) {
            ++stopped;
        }
        EXPECT_THROW(queue.run([] { FAIL() << "ran on a lost device"; }), Stopped);
    });
    EXPECT_EQ(lost, 1);
    EXPECT_EQ(stopped, 2);
}

/// One trial of a client.
class OneTrial final : public TrialQueue {
  public:
    explicit OneTrial(std::uint64_t n) : n_(n) {}
    std::optional<TrialRequest> next() override {
        return std::exchange(is_taken_, true) ? std::nullopt : std::optional(TrialRequest{nullptr, n_});
    }
    void report(Measurement, bool) override { has_measurement = true; }

    bool has_measurement = false;

  private:
    std::uint64_t n_;
    bool is_taken_ = false;
};

/// Takes trials from a queue until it has so many. Those of clients that come later are waited for.
std::vector<std::uint64_t> take(TrialQueue& queue, std::size_t count) {
    std::vector<std::uint64_t> sizes;
    while (sizes.size() < count) {
        if (const auto request = queue.next()) sizes.push_back(request->n);
    }
    std::ranges::sort(sizes);
    return sizes;
}

TEST(RequestQueueTest, TrialsOfSeveralClientsAreMeasuredAsOneQueue) {
    RequestQueue queue(3);
    std::atomic<std::uint64_t> next_n = 1;
    std::vector<std::uint64_t> sizes;
    serve(queue, 3, [&] {
        OneTrial trial(next_n++);
        queue.run_trials(trial, "uniform", [&](TrialQueue& chain) {
            sizes = take(chain, 3);
            EXPECT_EQ(chain.next(), std::nullopt);
            for (int i = 0; i < 3; ++i) chain.report({}, i < 2);
        });
        EXPECT_TRUE(trial.has_measurement);
    });
    EXPECT_EQ(sizes, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(RequestQueueTest, TrialsOnOtherDataAndOtherRequestsEndTheQueue) {
    RequestQueue queue(3);
    std::atomic<int> clients = 0;
    std::atomic<int> measured = 0;
    serve(queue, 3, [&] {
        const int client = clients++;
        if (client == 0) return queue.run([&] { ++measured; });
        OneTrial trial(1);
        queue.run_trials(trial, client == 1 ? "uniform" : "zeros", [&](TrialQueue& chain) {
            take(chain, 1);
            EXPECT_EQ(chain.next(), std::nullopt);
            chain.report({}, false);
            ++measured;
        });
    });
    EXPECT_EQ(measured, 3);
}

TEST(RequestQueueTest, AfterTheDeviceIsLostNoTrialIsMeasured) {
    RequestQueue queue(2);
    std::atomic<int> lost = 0;
    std::atomic<int> stopped = 0;
    serve(queue, 2, [&] {
        OneTrial trial(1);
        try {
            queue.run_trials(trial, "uniform", [&](TrialQueue& chain) {
                take(chain, 2);
                throw DeviceError("the device is lost");
            });
        } catch (const DeviceError&) {
            ++lost;
        } catch (const Stopped&) {
            ++stopped;
        }
        EXPECT_FALSE(trial.has_measurement);
    });
    EXPECT_EQ(lost, 1);
    EXPECT_EQ(stopped, 1);
}

TEST(RequestQueueTest, WaitingForACompilerCountsFromTheFirstRequestOn) {
    RequestQueue queue(1);
    const auto compile = [&] {
        const RequestQueue::Compiling compiling(queue);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    };
    EXPECT_EQ(serve(queue, 1, compile), timing::TimeSpent()) << "no request came";
    RequestQueue second(1);
    const timing::TimeSpent waited = serve(second, 1, [&] {
        second.run([] {});
        {
            const RequestQueue::Compiling compiling(second);
            // The server may begin to wait only now.
            second.run([] {});
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        second.run([] {});
    });
    EXPECT_GT(waited[timing::Activity::compile], 0);
}

/// A server with spare work for a client that compiles.
class SpareWork : public testing::Test {
  protected:
    /// Serves one client that does this while it compiles.
    void serve_compiling(const std::function<bool()>& spare_work,
                         const std::function<void(RequestQueue::Compiling&)>& compile) {
        serve(queue_, 1, [&] {
            RequestQueue::Compiling compiling(queue_, spare_work);
            compile(compiling);
        });
    }

    RequestQueue queue_{1};
    std::atomic<int> calls_ = 0;
};

TEST_F(SpareWork, IsDoneByTheServingThreadUntilNoneIsLeft) {
    const std::thread::id server = std::this_thread::get_id();
    std::promise<void> none_is_left;
    const auto work = [&] {
        EXPECT_EQ(std::this_thread::get_id(), server);
        if (++calls_ < 3) return true;
        none_is_left.set_value();  // would throw if it were called again
        return false;
    };
    serve_compiling(work, [&](RequestQueue::Compiling&) { none_is_left.get_future().wait(); });
    EXPECT_EQ(calls_, 3);
}

TEST_F(SpareWork, IsAskedForAgainWhenKernelsAreReady) {
    std::promise<void> first;
    std::promise<void> second;
    const auto work = [&] {
        (++calls_ == 1 ? first : second).set_value();
        return false;
    };
    serve_compiling(work, [&](RequestQueue::Compiling&) {
        first.get_future().wait();
        queue_.kernels_are_ready();
        second.get_future().wait();
    });
    EXPECT_EQ(calls_, 2);
}

TEST_F(SpareWork, IsAskedForAgainWhenKernelsBecomeReadyWhileItLooksForWork) {
    std::promise<void> second;
    const auto work = [&] {
        if (++calls_ == 1) {
            queue_.kernels_are_ready();
        } else {
            second.set_value();
        }
        return false;
    };
    serve_compiling(work, [&](RequestQueue::Compiling&) { second.get_future().wait(); });
    EXPECT_EQ(calls_, 2);
}

TEST_F(SpareWork, LearnsThatItsClientWaits) {
    std::promise<void> has_begun;
    bool has_ended = false;
    const auto work = [&] {
        has_begun.set_value();
        while (!queue_.is_waited_for()) std::this_thread::yield();
        has_ended = true;
        return false;
    };
    serve_compiling(work, [&](RequestQueue::Compiling& compiling) {
        has_begun.get_future().wait();
        compiling.end();
        EXPECT_TRUE(has_ended);
        EXPECT_FALSE(queue_.is_waited_for());
    });
}

TEST_F(SpareWork, LearnsThatARequestWaits) {
    RequestQueue queue(2);
    std::promise<void> has_begun;
    std::promise<void> has_run;
    const auto work = [&] {
        has_begun.set_value();
        while (!queue.is_waited_for()) std::this_thread::yield();
        return false;
    };
    std::atomic<bool> is_first = true;
    serve(queue, 2, [&] {
        if (is_first.exchange(false)) {
            const RequestQueue::Compiling compiling(queue, work);
            has_run.get_future().wait();
        } else {
            has_begun.get_future().wait();
            queue.run([&] { has_run.set_value(); });
        }
    });
}

TEST_F(SpareWork, ThatFailsFailsItsClient) {
    std::promise<void> has_begun;
    const auto work = [&]() -> bool {
        has_begun.set_value();
        throw InputError("wrong");
    };
    serve_compiling(work, [&](RequestQueue::Compiling& compiling) {
        has_begun.get_future().wait();
        EXPECT_THROW(compiling.end(), InputError);
        EXPECT_NO_THROW(queue_.run([] {}));
    });
}

TEST_F(SpareWork, ThatLosesTheDeviceIsTheLast) {
    std::promise<void> has_begun;
    const auto work = [&]() -> bool {
        if (++calls_ == 1) has_begun.set_value();
        throw DeviceError("the device is lost");
    };
    serve_compiling(work, [&](RequestQueue::Compiling& compiling) {
        has_begun.get_future().wait();
        queue_.kernels_are_ready();
        EXPECT_THROW(compiling.end(), DeviceError);
        EXPECT_THROW(queue_.run([] { FAIL() << "ran on a lost device"; }), Stopped);
    });
    EXPECT_EQ(calls_, 1);
}

}  // namespace
}  // namespace redtune::search
