#include "tuner/search/request_reader.h"

#include <string>
#include <utility>

namespace redtune::search {

RequestReader::RequestReader(WorkerChannel& channel) : channel_(channel), thread_([this] { receive_all(); }) {}

RequestReader::~RequestReader() {
    channel_.close_both_ways();  // ends a wait in the thread
    thread_.join();
}

std::optional<WorkerRequest> RequestReader::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !requests_.empty() || has_ended_; });
    if (requests_.empty()) {
        if (failure_) std::rethrow_exception(failure_);
        return std::nullopt;
    }
    WorkerRequest request = std::move(requests_.front());
    requests_.pop_front();
    return request;
}

std::optional<WorkerRequest> RequestReader::waiting() {
    const std::lock_guard lock(mutex_);
    if (requests_.empty()) return std::nullopt;
    return requests_.front();
}

void RequestReader::receive_all() {
    std::exception_ptr failure;
    try {
        std::string message;
        while (channel_.receive(message, {}) == WorkerChannel::Outcome::done) {
            WorkerRequest request = request_from_message(message);
            const std::lock_guard lock(mutex_);
            requests_.push_back(std::move(request));
            changed_.notify_one();
        }
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    failure_ = failure;
    changed_.notify_one();
}

}  // namespace redtune::search
