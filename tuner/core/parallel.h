#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace redtune {

/// Returns how many threads keep all cores of this machine busy.
inline unsigned one_thread_per_core() {
    return std::max(1U, std::thread::hardware_concurrency());
}

/// Calls `work` for every item on up to `threads` threads of its own, and `receive` on the calling thread with each
/// result of `work`, as soon as it is ready. Returns when all results have been received. `work` must not throw.
template <class Item, class Work, class Receive>
void for_each_in_parallel(std::vector<Item> items, std::size_t threads, const Work& work, const Receive& receive) {
    std::mutex mutex;
    std::condition_variable result_ready;
    std::vector<decltype(work(items[0]))> results;  // guarded by mutex
    std::atomic<std::size_t> next = 0;
    const auto run = [&] {
        for (std::size_t i = next++; i < items.size(); i = next++) {
            auto result = work(items[i]);
            const std::lock_guard lock(mutex);
            results.push_back(std::move(result));
            result_ready.notify_one();
        }
    };
    std::vector<std::jthread> pool;
    for (std::size_t i = 0; i < std::min(threads, items.size()); ++i) pool.emplace_back(run);
    for (std::size_t received = 0; received < items.size(); ++received) {
        std::unique_lock lock(mutex);
        result_ready.wait(lock, [&] { return !results.empty(); });
        const auto result = std::move(results.back());
        results.pop_back();
        lock.unlock();
        receive(result);
    }
}

}  // namespace redtune
