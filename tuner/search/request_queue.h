#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <mutex>

#include "tuner/timing/time_account.h"

namespace redtune::search {

/// Runs the requests of several threads, the clients, one after another in the thread that calls serve(). So an
/// executor, whose device or worker process belongs to one thread, can measure for several.
class RequestQueue {
  public:
    /// @param clients number of threads that will send requests
    explicit RequestQueue(std::size_t clients) : clients_(clients) {}

    /// Runs a request in the serving thread and waits until it has ended. Rethrows what it throws. If that is a
    /// DeviceError, nothing can be measured any more: later requests of all clients throw Stopped and are not run.
    void run(const std::function<void()>& request);

    /// A scope guard: while it lives, its client waits for a compiler.
    class Compiling {
      public:
        explicit Compiling(RequestQueue& queue) : queue_(queue) { queue_.add_compiling(1); }
        ~Compiling() { queue_.add_compiling(-1); }
        Compiling(const Compiling&) = delete;
        Compiling& operator=(const Compiling&) = delete;

      private:
        RequestQueue& queue_;
    };

    /// Says that a kernel can be run: time counts from now on.
    void first_kernel_is_ready();

    /// Says that one of the clients sends no more requests.
    void leave();

    /// Runs requests until every client has left.
    /// @return the time, from the first kernel on, during which there was no request because clients waited for a
    /// compiler
    timing::TimeSpent serve();

  private:
    void add_compiling(int clients);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::packaged_task<void()>> requests_;
    std::size_t clients_;  ///< number of clients that have not left
    int compiling_ = 0;    ///< number of clients that wait for a compiler
    timing::TimeAccount account_;
    bool is_broken_ = false;  ///< a request threw DeviceError; used by the serving thread only
};

}  // namespace redtune::search
