#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "tuner/search/worker_channel.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::search {

/// Receives and parses the requests to a worker in a thread of its own, so that the next one is there when the worker
/// has measured a trial.
class RequestReader {
  public:
    /// Begins to receive. Until the reader is destroyed, nobody else may receive from the channel; another thread may
    /// send. `channel` must outlive the reader.
    explicit RequestReader(WorkerChannel& channel);
    /// Closes the connection in both directions.
    ~RequestReader();
    RequestReader(const RequestReader&) = delete;
    RequestReader& operator=(const RequestReader&) = delete;

    /// Waits for the next request and returns it; nullopt once the other end has closed the connection.
    /// @throws InputError if something else than a request came
    std::optional<WorkerRequest> next();

    /// Returns the request that next() would return, if it has come.
    std::optional<WorkerRequest> waiting();

  private:
    void receive_all();

    WorkerChannel& channel_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<WorkerRequest> requests_;
    bool has_ended_ = false;      ///< nothing more is received
    std::exception_ptr failure_;  ///< why, if the connection was not closed
    std::thread thread_;          ///< the last member, because the thread uses the others
};

}  // namespace redtune::search
