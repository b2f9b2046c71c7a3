#include "tuner/search/request_queue.h"

#include <utility>

#include "redtune/error.h"
#include "tuner/search/executor.h"

namespace redtune::search {

void RequestQueue::run(const std::function<void()>& request) {
    std::packaged_task<void()> task([&] {
        if (is_broken_) throw Stopped();
        try {
            request();
        } catch (const DeviceError&) {
            is_broken_ = true;
            throw;
        }
    });
    std::future<void> end = task.get_future();
    {
        const std::lock_guard lock(mutex_);
        requests_.push_back(std::move(task));
    }
    changed_.notify_all();
    end.get();
}

void RequestQueue::leave() {
    {
        const std::lock_guard lock(mutex_);
        --clients_;
    }
    changed_.notify_all();
}

void RequestQueue::add_compiling(int clients) {
    const std::lock_guard lock(mutex_);
    compiling_ += clients;
}

timing::TimeSpent RequestQueue::serve() {
    timing::TimeAccount account;
    std::unique_lock lock(mutex_);
    for (;;) {
        {
            const timing::TimeAccount::Span waiting(compiling_ > 0 ? &account : nullptr, timing::Activity::compile);
            changed_.wait(lock, [&] { return !requests_.empty() || clients_ == 0; });
        }
        if (requests_.empty()) return account.take_spent();
        std::packaged_task<void()> request = std::move(requests_.front());
        requests_.pop_front();
        account.start();
        lock.unlock();
        request();
        lock.lock();
    }
}

}  // namespace redtune::search
