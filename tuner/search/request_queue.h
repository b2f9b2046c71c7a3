#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tuner/search/trial_chain.h"
#include "tuner/search/trial_queue.h"
#include "tuner/timing/time_account.h"

namespace redtune::search {

/// Trials of a client, and how they are measured.
struct ClientTrials {
    TrialQueue* trials = nullptr;
    std::string data;  ///< name of the data on which they are measured
    /// Measures the trials of a queue, which has these and those of other clients on the same data.
    std::function<void(TrialQueue&)> measure;
};

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
    void run_trials(ClientTrials trials);

    /// A scope guard: while it lives, its client waits for a compiler.
    class Compiling {
      public:
        /// @param spare trials that are measured while there is no request, some of each client in turn; nullopt: none
        explicit Compiling(RequestQueue& queue, std::optional<ClientTrials> spare = std::nullopt);
        /// As end(), but throws nothing.
        ~Compiling();
        Compiling(const Compiling&) = delete;
        Compiling& operator=(const Compiling&) = delete;

        /// Ends the waiting for the compiler. Waits until the spare trials that were taken are measured, and throws
        /// what measuring them threw.
        void end();

      private:
        friend RequestQueue;
        class SpareQueue;

        /// @return what measuring the spare trials threw; null if nothing
        std::exception_ptr stop_waiting();
        bool must_pause();
        void end_link(const std::exception_ptr& failure);

        RequestQueue& queue_;
        std::optional<ClientTrials> spare_;
        std::unique_ptr<SpareQueue> spare_queue_;
        bool may_have_trials_;   ///< false: there was none when the last one was asked for
        std::size_t taken_ = 0;  ///< trials since the client's turn began
        std::size_t links_ = 0;  ///< of chains; one ends when its trials are measured
        bool is_ending_ = false;
        std::exception_ptr failure_;
    };

    /// Says that a kernel can be run: time counts from now on.
    void first_kernel_is_ready();

    /// Says that there may be spare trials where there were none, because kernels have been compiled.
    void kernels_are_ready();

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
        ClientTrials trials;
        std::promise<void> end;
    };

    void wait_for(Request request);
    void serve(Request request);
    void measure_chain(ClientTrials first, TrialChain::Link link);
    std::optional<TrialChain::Link> next_link(const std::string& data);
    Compiling* next_spare_client(const std::string* data);
    TrialChain::Link link_to(Compiling& client);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Request> requests_;
    std::size_t clients_;  ///< number of clients that have not left
    /// Clients that wait for a compiler. The one whose spare trials had their turn last is the last one.
    std::list<Compiling*> compiling_;
    timing::TimeAccount account_;
    bool is_broken_ = false;  ///< a request threw DeviceError; used by the serving thread only
};

}  // namespace redtune::search
