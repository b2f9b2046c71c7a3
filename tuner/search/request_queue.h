#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <mutex>
#include <optional>
#include <string>

#include "tuner/search/trial_chain.h"
#include "tuner/search/trial_queue.h"
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

    /// Measures trials in the serving thread and waits until all are measured. Errors are those of run().
    /// @param data name of the data on which they are measured
    /// @param measure measures the trials of a queue; it gets these, and those of clients that wait behind this one and
    /// have the same data
    void run_trials(TrialQueue& trials, std::string data, std::function<void(TrialQueue&)> measure);

    /// A scope guard: while it lives, its client waits for a compiler.
    class Compiling {
      public:
        /// @param spare_work does a part of the other work that the client has, and returns whether there was any. The
        /// serving thread calls it when there is no request. Empty: the client has no other work.
        explicit Compiling(RequestQueue& queue, std::function<bool()> spare_work = {});
        /// As end(), but throws nothing.
        ~Compiling();
        Compiling(const Compiling&) = delete;
        Compiling& operator=(const Compiling&) = delete;

        /// Ends the waiting for the compiler. Waits until the spare work has ended, too, and rethrows what it threw.
        void end();

      private:
        friend RequestQueue;

        /// @return what the spare work threw; null if nothing
        std::exception_ptr stop_waiting();

        RequestQueue& queue_;
        std::function<bool()> spare_work_;
        bool may_have_work_;  ///< false: spare_work_ is running, or had nothing to do when it was called last
        bool is_working_ = false;
        bool has_ended_ = false;
        std::exception_ptr failure_;
    };

    /// Says that a kernel can be run: time counts from now on.
    void first_kernel_is_ready();

    /// Says that there may be spare work where there was none, because kernels have been compiled.
    void kernels_are_ready();

    /// Returns whether spare work should end, because a client waits for a request or for the end of its own spare
    /// work.
    bool is_waited_for();

    /// Says that one of the clients sends no more requests.
    void leave();

    /// Runs requests until every client has left.
    /// @return the time, from the first kernel on, during which there was no request because clients waited for a
    /// compiler
    timing::TimeSpent serve();

  private:
    /// A request of run(), or one of run_trials().
    struct Request {
        std::function<void()> run;  ///< empty: trials are to be measured
        TrialQueue* trials = nullptr;
        std::string data;
        std::function<void(TrialQueue&)> measure;
        std::promise<void> end;
    };

    void wait_for(Request request);
    void serve(Request request);
    void serve_trials(Request request);
    std::optional<TrialChain::Link> next_link(const std::string& data);
    bool do_spare_work(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Request> requests_;
    std::size_t clients_;  ///< number of clients that have not left
    /// Clients that wait for a compiler. The one that did spare work last is the last one.
    std::list<Compiling*> compiling_;
    std::size_t ending_ = 0;  ///< number of clients whose compiler is done and whose spare work is not
    timing::TimeAccount account_;
    bool is_broken_ = false;  ///< a request or spare work threw DeviceError; used by the serving thread only
};

}  // namespace redtune::search
