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

void RequestQueue::first_kernel_is_ready() {
    const std::lock_guard lock(mutex_);
    account_.start();
}

void RequestQueue::add_compiling(int clients) {
    {
        const std::lock_guard lock(mutex_);
        compiling_ += clients;
    }
    changed_.notify_all();
}

timing::TimeSpent RequestQueue::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        while (requests_.empty() && clients_ != 0) {
            const timing::TimeAccount::Span waiting(compiling_ > 0 ? &account_ : nullptr, timing::Activity::compile);
            changed_.wait(lock);
        }
        if (requests_.empty()) return account_.take_spent();
        std::packaged_task<void()> request = std::move(requests_.front());
        requests_.pop_front();
        account_.start();
        lock.unlock();
        request();
        lock.lock();
    }
}

}  // namespace redtune::search
