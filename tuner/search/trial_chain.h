#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

#include "tuner/search/trial_queue.h"

namespace redtune::search {

/// The trials of several clients as one queue, so that the device need not wait between those of one client and those
/// of the next. The thread that measures calls all functions of the clients' queues.
class TrialChain final : public TrialQueue {
  public:
    /// The trials of one client.
    struct Link {
        TrialQueue* trials = nullptr;
        /// Is called once: with null when all trials that were taken have measurements, or with an exception.
        std::function<void(std::exception_ptr)> end;
    };
    /// Returns the trials of the next client; nullopt if none waits.
    using NextLink = std::function<std::optional<Link>()>;

    TrialChain(Link first, NextLink next_link);

    std::optional<TrialRequest> next() override;
    void report(Measurement measurement, bool is_device_busy) override;

    /// Says that nothing more is measured, because of an exception. The client whose queue threw it or whose trial was
    /// to be measured next gets it; the others with trials that were not measured get Stopped.
    void fail(const std::exception_ptr& failure);

  private:
    struct Client {
        Link link;
        std::size_t in_hand = 0;  ///< trials that were taken and have no measurement yet
        bool has_next = true;     ///< false: all of its trials were taken
    };

    void end_if_done(const std::shared_ptr<Client>& client);

    NextLink next_link_;
    std::shared_ptr<Client> current_;              ///< whose trials are taken; null: nobody's
    std::deque<std::shared_ptr<Client>> in_hand_;  ///< whose trials were taken and have no measurement yet, in order
    std::shared_ptr<Client> called_;               ///< whose queue is being called; null: none
};

}  // namespace redtune::search
