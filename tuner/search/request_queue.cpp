#include "tuner/search/request_queue.h"

#include <algorithm>
#include <utility>

#include "redtune/error.h"
#include "tuner/search/executor.h"

namespace redtune::search {

void RequestQueue::run(const std::function<void()>& request) {
    wait_for({request, nullptr, {}, {}, {}});
}

void RequestQueue::run_trials(TrialQueue& trials, std::string data, std::function<void(TrialQueue&)> measure) {
    wait_for({{}, &trials, std::move(data), std::move(measure), {}});
}

/// Lets the serving thread do a request and waits for its end.
void RequestQueue::wait_for(Request request) {
    std::future<void> end = request.end.get_future();
    {
        const std::lock_guard lock(mutex_);
        requests_.push_back(std::move(request));
    }
    changed_.notify_all();
    end.get();
}

/// Does a request in the serving thread.
void RequestQueue::serve(Request request) {
    if (is_broken_) return request.end.set_exception(std::make_exception_ptr(Stopped()));
    if (request.trials != nullptr) return serve_trials(std::move(request));
    try {
        request.run();
    } catch (const DeviceError&) {
        is_broken_ = true;
        return request.end.set_exception(std::current_exception());
    } catch (...) {
        return request.end.set_exception(std::current_exception());
    }
    request.end.set_value();
}

void RequestQueue::serve_trials(Request request) {
    TrialChain chain({request.trials, std::move(request.end)}, [&] { return next_link(request.data); });
    try {
        request.measure(chain);
    } catch (const DeviceError&) {
        is_broken_ = true;
        chain.fail(std::current_exception());
    } catch (...) {
        chain.fail(std::current_exception());
    }
}

/// Takes the first request if it is for trials on this data.
std::optional<TrialChain::Link> RequestQueue::next_link(const std::string& data) {
    const std::lock_guard lock(mutex_);
    if (requests_.empty() || requests_.front().trials == nullptr || requests_.front().data != data) return std::nullopt;
    TrialChain::Link link{requests_.front().trials, std::move(requests_.front().end)};
    requests_.pop_front();
    return link;
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

void RequestQueue::kernels_are_ready() {
    {
        const std::lock_guard lock(mutex_);
        for (Compiling* client : compiling_) client->may_have_work_ = client->spare_work_ != nullptr;
    }
    changed_.notify_all();
}

bool RequestQueue::is_waited_for() {
    const std::lock_guard lock(mutex_);
    return !requests_.empty() || ending_ != 0;
}

RequestQueue::Compiling::Compiling(RequestQueue& queue, std::function<bool()> spare_work)
    : queue_(queue), spare_work_(std::move(spare_work)), may_have_work_(spare_work_ != nullptr) {
    {
        const std::lock_guard lock(queue_.mutex_);
        queue_.compiling_.push_front(this);
    }
    queue_.changed_.notify_all();
}

RequestQueue::Compiling::~Compiling() {
    stop_waiting();
}

void RequestQueue::Compiling::end() {
    if (const std::exception_ptr failure = stop_waiting()) std::rethrow_exception(failure);
}

std::exception_ptr RequestQueue::Compiling::stop_waiting() {
    std::unique_lock lock(queue_.mutex_);
    if (has_ended_) return nullptr;
    ++queue_.ending_;
    queue_.changed_.wait(lock, [&] { return !is_working_; });
    --queue_.ending_;
    queue_.compiling_.remove(this);
    has_ended_ = true;
    lock.unlock();
    queue_.changed_.notify_all();
    return failure_;
}

/// Does a part of the spare work of one client, of each in turn. @param lock of the mutex; unlocked meanwhile
/// @return false if no client has any
bool RequestQueue::do_spare_work(std::unique_lock<std::mutex>& lock) {
    const auto found = std::ranges::find_if(compiling_, &Compiling::may_have_work_);
    if (is_broken_ || found == compiling_.end()) return false;
    Compiling& client = **found;
    compiling_.splice(compiling_.end(), compiling_, found);
    client.is_working_ = true;
    client.may_have_work_ = false;
    account_.start();
    lock.unlock();
    bool had_work = false;
    std::exception_ptr failure;
    try {
        had_work = client.spare_work_();
    } catch (const DeviceError&) {
        is_broken_ = true;
        failure = std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    client.is_working_ = false;
    client.may_have_work_ = client.may_have_work_ || had_work;  // kernels may have become ready meanwhile
    if (failure != nullptr) {
        client.failure_ = failure;
        client.may_have_work_ = false;
        client.spare_work_ = nullptr;
    }
    changed_.notify_all();
    return true;
}

timing::TimeSpent RequestQueue::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        while (requests_.empty() && clients_ != 0) {
            if (do_spare_work(lock)) continue;
            const timing::TimeAccount::Span waiting(compiling_.empty() ? nullptr : &account_,
                                                    timing::Activity::compile);
            changed_.wait(lock);
        }
        if (requests_.empty()) return account_.take_spent();
        Request request = std::move(requests_.front());
        requests_.pop_front();
        account_.start();
        lock.unlock();
        serve(std::move(request));
        lock.lock();
    }
}

}  // namespace redtune::search
