#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "tuner/search/request_queue.h"

namespace redtune::search {

/// Runs `client` in this many threads, and serves them until all have left.
inline timing::TimeSpent serve(RequestQueue& queue, std::size_t clients, const std::function<void()>& client) {
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

/// One trial of a client.
class OneTrial final : public TrialQueue {
  public:
    explicit OneTrial(std::uint64_t n) : n_(n) {}
    std::optional<TrialRequest> next() override {
        return std::exchange(is_taken_, true) ? std::nullopt : std::optional(TrialRequest{nullptr, n_});
    }
    void report(Measurement, bool) override { has_measurement = true; }

    std::atomic<bool> has_measurement = false;

  private:
    std::uint64_t n_;
    bool is_taken_ = false;
};

}  // namespace redtune::search
