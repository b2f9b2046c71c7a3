#include "tuner/search/request_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "redtune/error.h"
#include "tests/search/request_clients.h"
#include "tuner/search/executor.h"

namespace redtune::search {
namespace {

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
        queue.run_trials({&trial, "uniform", [&](TrialQueue& chain) {
                              sizes = take(chain, 3);
                              EXPECT_EQ(chain.next(), std::nullopt);
                              for (int i = 0; i < 3; ++i) chain.report({}, i < 2);
                          }});
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
        queue.run_trials({&trial, client == 1 ? "uniform" : "zeros", [&](TrialQueue& chain) {
                              take(chain, 1);
                              EXPECT_EQ(chain.next(), std::nullopt);
                              chain.report({}, false);
                              ++measured;
                          }});
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
            queue.run_trials({&trial, "uniform", [&](TrialQueue& chain) {
                                  take(chain, 2);
                                  throw DeviceError("the device is lost");
                              }});
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

}  // namespace
}  // namespace redtune::search
