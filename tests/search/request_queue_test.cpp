#include "tuner/search/request_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
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
