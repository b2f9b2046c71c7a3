// Spare trials of the clients of a RequestQueue.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "redtune/error.h"
#include "tests/search/request_clients.h"
#include "tuner/search/executor.h"
#include "tuner/search/request_queue.h"

namespace redtune::search {
namespace {

/// The spare trials of a client.
class SpareTrials final : public TrialQueue {
  public:
    /// @param count number of trials that are ready from the beginning
    SpareTrials(std::uint64_t n, int count) : n_(n), ready(count) {}

    std::optional<TrialRequest> next() override {
        ++asked;
        if (at_next) at_next();
        if (ready == 0) return std::nullopt;
        --ready;
        return TrialRequest{nullptr, n_};
    }
    void report(Measurement, bool) override { ++measured; }

  private:
    std::uint64_t n_;

  public:
    std::atomic<int> ready;
    std::atomic<int> asked = 0;
    std::atomic<int> measured = 0;
    std::function<void()> at_next;
};

/// Measures the trials of a queue as a worker does, which has the next one in hand.
void measure_all(TrialQueue& queue, std::vector<std::uint64_t>& sizes) {
    std::deque<std::uint64_t> in_hand;
    for (;;) {
        while (in_hand.size() < 2) {
            const auto request = queue.next();
            if (!request) break;
            in_hand.push_back(request->n);
        }
        if (in_hand.empty()) return;
        sizes.push_back(in_hand.front());
        in_hand.pop_front();
        queue.report({}, !in_hand.empty());
    }
}

void wait_until(const std::function<bool()>& condition) {
    while (!condition()) std::this_thread::yield();
}

/// A server with spare trials for clients that compile.
class SpareTrialsTest : public testing::Test {
  protected:
    ClientTrials spare(SpareTrials& trials, const char* data = "uniform") {
        return {&trials, data, [this](TrialQueue& chain) {
                    ++chains_;
                    EXPECT_EQ(std::this_thread::get_id(), server_);
                    measure_all(chain, sizes_);
                }};
    }

    const std::thread::id server_ = std::this_thread::get_id();
    std::vector<std::uint64_t> sizes_;  ///< those that were measured, in this order
    std::atomic<int> chains_ = 0;
};

TEST_F(SpareTrialsTest, AreMeasuredUntilNoneIsLeft) {
    RequestQueue queue(1);
    SpareTrials trials(1, 3);
    serve(queue, 1, [&] {
        RequestQueue::Compiling compiling(queue, spare(trials));
        wait_until([&] { return trials.measured == 3; });
        compiling.end();
    });
    EXPECT_EQ(sizes_.size(), 3U);
}

TEST_F(SpareTrialsTest, AskedForBeforeTheFirstKernelCountNothing) {
    RequestQueue queue(1);
    SpareTrials trials(1, 0);
    const timing::TimeSpent waited = serve(queue, 1, [&] {
        const RequestQueue::Compiling compiling(queue, spare(trials));
        wait_until([&] { return trials.asked != 0; });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    });
    EXPECT_EQ(waited, timing::TimeSpent());
}

TEST_F(SpareTrialsTest, AreAskedForAgainWhenKernelsAreReady) {
    RequestQueue queue(1);
    SpareTrials trials(1, 0);
    serve(queue, 1, [&] {
        const RequestQueue::Compiling compiling(queue, spare(trials));
        wait_until([&] { return trials.asked != 0; });
        trials.ready = 1;
        queue.kernels_are_ready();
        wait_until([&] { return trials.measured == 1; });
    });
}

TEST_F(SpareTrialsTest, AreAskedForAgainWhenKernelsBecomeReadyWhileTheQueueLooks) {
    RequestQueue queue(1);
    SpareTrials trials(1, 0);
    trials.at_next = [&] {
        if (trials.asked == 1) queue.kernels_are_ready();
    };
    serve(queue, 1, [&] {
        const RequestQueue::Compiling compiling(queue, spare(trials));
        wait_until([&] { return trials.asked >= 2; });
    });
}

TEST_F(SpareTrialsTest, OfSeveralClientsAreMeasuredInTurnAsOneQueue) {
    RequestQueue queue(2);
    SpareTrials first(1, 40);
    SpareTrials second(2, 40);
    std::atomic<int> clients = 0;
    std::atomic<int> waiting = 0;
    // The first one to be asked waits for the other client.
    first.at_next = second.at_next = [&] { wait_until([&] { return waiting == 2; }); };
    serve(queue, 2, [&] {
        RequestQueue::Compiling compiling(queue, spare(clients++ == 0 ? first : second));
        ++waiting;
        wait_until([&] { return first.measured == 40 && second.measured == 40; });
    });
    EXPECT_EQ(chains_, 1);
    ASSERT_EQ(sizes_.size(), 80U);
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        EXPECT_EQ(sizes_[i] == sizes_[0], i / 16 % 2 == 0 && i < 72) << i;
    }
}

TEST_F(SpareTrialsTest, OnOtherDataAreNotPartOfTheQueue) {
    RequestQueue queue(2);
    SpareTrials first(1, 1);
    SpareTrials second(2, 1);
    std::atomic<int> clients = 0;
    serve(queue, 2, [&] {
        const bool is_first = clients++ == 0;
        RequestQueue::Compiling compiling(queue, is_first ? spare(first) : spare(second, "zeros"));
        wait_until([&] { return first.measured == 1 && second.measured == 1; });
    });
    EXPECT_EQ(chains_, 2);
}

TEST_F(SpareTrialsTest, PauseForARequest) {
    RequestQueue queue(2);
    SpareTrials trials(1, 1'000'000'000);
    std::atomic<bool> has_run = false;
    std::atomic<bool> is_first = true;
    serve(queue, 2, [&] {
        if (is_first.exchange(false)) {
            const RequestQueue::Compiling compiling(queue, spare(trials));
            wait_until([&] { return has_run.load(); });
        } else {
            wait_until([&] { return trials.measured != 0; });
            queue.run([&] { has_run = true; });
        }
    });
}

TEST_F(SpareTrialsTest, OfOneClientAreMeasuredWithTheRequestOfAnother) {
    RequestQueue queue(2);
    SpareTrials trials(1, 1'000'000'000);
    OneTrial requested(2);
    std::atomic<bool> is_first = true;
    serve(queue, 2, [&] {
        if (is_first.exchange(false)) {
            const RequestQueue::Compiling compiling(queue, spare(trials));
            wait_until([&] { return requested.has_measurement.load(); });
        } else {
            wait_until([&] { return trials.measured != 0; });
            queue.run_trials(
                {&requested, "uniform", [](TrialQueue&) { FAIL() << "the trial waited for the end of the queue"; }});
        }
    });
    EXPECT_TRUE(requested.has_measurement);
}

TEST_F(SpareTrialsTest, AreMeasuredBeforeTheirClientGoesOn) {
    RequestQueue queue(1);
    SpareTrials trials(1, 1'000'000'000);
    serve(queue, 1, [&] {
        RequestQueue::Compiling compiling(queue, spare(trials));
        wait_until([&] { return trials.measured != 0; });
        compiling.end();
        EXPECT_EQ(trials.measured, 1'000'000'000 - trials.ready);
    });
}

TEST_F(SpareTrialsTest, ThatFailFailTheirClient) {
    RequestQueue queue(1);
    SpareTrials trials(1, 1);
    trials.at_next = [] { throw InputError("wrong"); };
    serve(queue, 1, [&] {
        RequestQueue::Compiling compiling(queue, spare(trials));
        wait_until([&] { return trials.asked != 0; });
        EXPECT_THROW(compiling.end(), InputError);
        EXPECT_NO_THROW(queue.run([] {}));
    });
}

TEST_F(SpareTrialsTest, ThatLoseTheDeviceAreTheLast) {
    RequestQueue queue(1);
    SpareTrials trials(1, 1);
    trials.at_next = [] { throw DeviceError("the device is lost"); };
    serve(queue, 1, [&] {
        RequestQueue::Compiling compiling(queue, spare(trials));
        wait_until([&] { return trials.asked != 0; });
        queue.kernels_are_ready();
        EXPECT_THROW(compiling.end(), DeviceError);
        EXPECT_THROW(queue.run([] { FAIL() << "ran on a lost device"; }), Stopped);
    });
    EXPECT_EQ(trials.asked, 1);
}

}  // namespace
}  // namespace redtune::search
