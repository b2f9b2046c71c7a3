#include "tuner/search/request_queue.h"

#include <algorithm>
#include <utility>

#include "redtune/error.h"
#include "tuner/search/executor.h"

namespace redtune::search {

namespace {

/// After so many spare trials, those of another client have their turn.
constexpr std::size_t most_spare_in_turn = 16;

/// Returns the function that says when the trials of a request are measured.
std::function<void(std::exception_ptr)> keep_promise(std::promise<void> promise) {
    return [promise = std::make_shared<std::promise<void>>(std::move(promise))](const std::exception_ptr& failure) {
        if (failure == nullptr) return promise->set_value();
        promise->set_exception(failure);
    };
}

}  // namespace

/// The spare trials of a client, as long as they have their turn.
class RequestQueue::Compiling::SpareQueue final : public TrialQueue {
  public:
    explicit SpareQueue(Compiling& client) : client_(client) {}

    std::optional<TrialRequest> next() override {
        if (client_.must_pause()) return std::nullopt;
        const auto request = client_.spare_->trials->next();
        client_.taken_ += request ? 1 : 0;
        return request;
    }
    void report(Measurement measurement, bool is_device_busy) override {
        client_.spare_->trials->report(std::move(measurement), is_device_busy);
    }

  private:
    Compiling& client_;
};

void RequestQueue::run(const std::function<void()>& request) {
    wait_for({request, {}, {}});
}

void RequestQueue::run_trials(ClientTrials trials) {
    wait_for({{}, std::move(trials), {}});
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
    if (!request.run) {
        TrialQueue* trials = request.trials.trials;
        return measure_chain(std::move(request.trials), {trials, keep_promise(std::move(request.end))});
    }
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

/// Measures the trials of a client, and those of others that have trials on the same data meanwhile.
/// @param link to the trials of `first`
void RequestQueue::measure_chain(ClientTrials first, TrialChain::Link link) {
    TrialChain chain(std::move(link), [&] { return next_link(first.data); });
    try {
        first.measure(chain);
    } catch (const DeviceError&) {
        is_broken_ = true;
        chain.fail(std::current_exception());
    } catch (...) {
        chain.fail(std::current_exception());
    }
}

/// Returns the trials of the first request, or spare trials if there is no request; nullopt if they are not on this
/// data or the first request is not for trials.
std::optional<TrialChain::Link> RequestQueue::next_link(const std::string& data) {
    const std::lock_guard lock(mutex_);
    if (requests_.empty()) {
        Compiling* client = next_spare_client(&data);
        return client == nullptr ? std::nullopt : std::optional(link_to(*client));
    }
    Request& first = requests_.front();
    if (first.run || first.trials.data != data) return std::nullopt;
    TrialChain::Link link{first.trials.trials, keep_promise(std::move(first.end))};
    requests_.pop_front();
    return link;
}

/// Returns the client whose spare trials have their turn; null if no client may have any. @param data null: any data
RequestQueue::Compiling* RequestQueue::next_spare_client(const std::string* data) {
    if (is_broken_) return nullptr;
    const auto found = std::ranges::find_if(compiling_, [&](const Compiling* client) {
        return client->may_have_trials_ && !client->is_ending_ && (data == nullptr || client->spare_->data == *data);
    });
    return found == compiling_.end() ? nullptr : *found;
}

/// Begins the turn of a client's spare trials.
TrialChain::Link RequestQueue::link_to(Compiling& client) {
    compiling_.splice(compiling_.end(), compiling_, std::ranges::find(compiling_, &client));
    client.may_have_trials_ = false;
    client.taken_ = 0;
    ++client.links_;
    return {client.spare_queue_.get(), [&client](const std::exception_ptr& failure) { client.end_link(failure); }};
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
        for (Compiling* client : compiling_) client->may_have_trials_ = client->spare_.has_value();
    }
    changed_.notify_all();
}

RequestQueue::Compiling::Compiling(RequestQueue& queue, std::optional<ClientTrials> spare)
    : queue_(queue),
      spare_(std::move(spare)),
      spare_queue_(std::make_unique<SpareQueue>(*this)),
      may_have_trials_(spare_.has_value()) {
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
    if (is_ending_) return nullptr;
    is_ending_ = true;
    queue_.changed_.wait(lock, [&] { return links_ == 0; });
    queue_.compiling_.remove(this);
    lock.unlock();
    queue_.changed_.notify_all();
    return failure_;
}

/// Returns whether the turn of the spare trials is over: a request waits, the client waits for no compiler any more, or
/// another client's trials have their turn.
bool RequestQueue::Compiling::must_pause() {
    const std::lock_guard lock(queue_.mutex_);
    const bool has_turn = taken_ < most_spare_in_turn || queue_.next_spare_client(&spare_->data) == nullptr;
    if (has_turn && !is_ending_ && queue_.requests_.empty()) return false;
    may_have_trials_ = true;
    return true;
}

/// Says that the trials of a turn are measured, or that measuring them failed.
void RequestQueue::Compiling::end_link(const std::exception_ptr& failure) {
    RequestQueue& queue = queue_;  // the client may destroy the object as soon as no link is left
    {
        const std::lock_guard lock(queue.mutex_);
        --links_;
        if (failure_ == nullptr) failure_ = failure;
        if (failure_ != nullptr) spare_.reset();
        // With the new times the client may name further spare trials.
        may_have_trials_ = spare_ && (may_have_trials_ || taken_ != 0);
    }
    queue.changed_.notify_all();
}

timing::TimeSpent RequestQueue::serve() {
    std::unique_lock lock(mutex_);
    while (!requests_.empty() || clients_ != 0) {
        if (!requests_.empty()) {
            Request request = std::move(requests_.front());
            requests_.pop_front();
            account_.start();
            lock.unlock();
            serve(std::move(request));
            lock.lock();
        } else if (Compiling* client = next_spare_client(nullptr)) {
            ClientTrials spare = *client->spare_;
            TrialChain::Link link = link_to(*client);
            lock.unlock();
            measure_chain(std::move(spare), std::move(link));
            lock.lock();
        } else {
            const timing::TimeAccount::Span waiting(compiling_.empty() ? nullptr : &account_,
                                                    timing::Activity::compile);
            changed_.wait(lock);
        }
    }
    return account_.take_spent();
}

}  // namespace redtune::search
