#include "tuner/search/worker.h"

#include <fmt/format.h>

namespace redtune::search {

namespace {

/// A worker whose socket is closed has ended already or is ending.
constexpr std::chrono::milliseconds ends_within{1000};

WorkerChannel::Until until(double limit_s, const std::atomic<bool>& stop, const std::atomic<bool>* also = nullptr) {
    const auto limit =
        std::chrono::duration_cast<WorkerChannel::Clock::duration>(std::chrono::duration<double>(limit_s));
    return {WorkerChannel::Clock::now() + limit, &stop, also};
}

/// Throws what the reply says, if the request failed.
void throw_if_failed(const WorkerReply& reply) {
    if (const auto* lost = std::get_if<TrialLost>(&reply)) throw WorkerFailure(lost->status, lost->reason);
    const auto* failed = std::get_if<RequestFailed>(&reply);
    if (failed == nullptr) return;
    switch (failed->cause) {
        case RequestFailed::Cause::input:
            throw InputError(failed->message);
        case RequestFailed::Cause::device:
            throw WorkerFailure(Status::fault, failed->message);
        case RequestFailed::Cause::other:
            break;
    }
    throw Error(failed->message);
}

}  // namespace

void Worker::send(const WorkerRequest& request, double limit_s) {
    if (link_->channel().has_unread()) {
        if (const auto end = reported_end()) throw WorkerFailure(end->status, end->reason);
        throw WorkerFailure(Status::fault, "the worker process sent something that was not asked for");
    }
    check(link_->channel().send(to_message(request), until(limit_s, stop_)), limit_s);
}

bool Worker::send_ahead(const WorkerRequest& request, double limit_s) {
    const WorkerChannel::Outcome outcome = link_->channel().send(to_message(request), until(limit_s, stop_));
    if (outcome == WorkerChannel::Outcome::stopped) throw Stopped();
    return outcome == WorkerChannel::Outcome::done;
}

/// Returns what a worker's machine says of the end of the worker between two requests (rank_agent.h); empty if the
/// unread bytes are something else.
std::optional<TrialLost> Worker::reported_end() {
    try {
        const WorkerReply reply = next_message(until(0, stop_), 0);
        if (const auto* lost = std::get_if<TrialLost>(&reply)) return *lost;
    } catch (const WorkerFailure&) {
        return std::nullopt;
    }
    return std::nullopt;
}

WorkerReply Worker::next_reply(double limit_s, bool has_progress,
                               const std::function<void(const PrepareProgress&)>& progress,
                               const std::atomic<bool>* also) {
    std::size_t done = 0;
    WorkerChannel::Until end = until(limit_s, stop_, also);
    for (;;) {
        WorkerReply reply = next_message(end, limit_s);
        const auto* news = std::get_if<PrepareProgress>(&reply);
        if (news == nullptr) {
            throw_if_failed(reply);
            return reply;
        }
        if (!has_progress) {
            throw WorkerFailure(Status::fault, "the worker process reported progress of a request that has none");
        }
        // Only a report that shows progress counts as a sign of life.
        if (news->done > done) {
            done = news->done;
            end = until(limit_s, stop_, also);
        }
        if (progress) progress(*news);
    }
}

WorkerReply Worker::next_message(const WorkerChannel::Until& end, double limit_s) {
    try {
        std::string message;
        check(link_->channel().receive(message, end), limit_s);
        return reply_from_message(message);
    } catch (const InputError& error) {
        throw WorkerFailure(Status::fault, fmt::format("the worker process sent no reply: {}", error.what()));
    }
}

void Worker::check(WorkerChannel::Outcome outcome, double limit_s) {
    switch (outcome) {
        case WorkerChannel::Outcome::done:
            return;
        case WorkerChannel::Outcome::stopped:
            throw Stopped();
        case WorkerChannel::Outcome::expired:
            throw WorkerFailure(Status::timeout, fmt::format("no answer within the limit of {:.3g} s", limit_s));
        case WorkerChannel::Outcome::closed:
            break;
    }
    if (const auto reason = link_->blameless_loss()) throw ExecutorLost(*reason);
    const auto end = link_->wait_for_end(ends_within, &stop_);
    if (!end && stop_) throw Stopped();
    throw WorkerFailure(Status::fault,
                        fmt::format("the worker process {}", end.value_or("closed its end of the connection")));
}

}  // namespace redtune::search
