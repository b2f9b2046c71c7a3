#pragma once

#include <memory>
#include <string>

#include "tuner/search/worker_link.h"

namespace redtune::search {

/// The link to a worker that another rank has started (rank_agent.h), which ends the worker when the connection ends.
class RemoteWorker final : public WorkerLink {
  public:
    /// @param unit the name of the unit, for messages
    RemoteWorker(std::unique_ptr<WorkerChannel> channel, std::string unit)
        : channel_(std::move(channel)), unit_(std::move(unit)) {}

    WorkerChannel& channel() override { return *channel_; }
    void kill() override { channel_->close_both_ways(); }
    /// Returns at once: whether the worker has ended is known on its machine only.
    std::optional<std::string> wait_for_end(std::chrono::milliseconds, const std::atomic<bool>*) override {
        return "ended";
    }
    /// A rank says so if its worker ends (TrialLost), so silence means that the rank or its machine is lost.
    std::optional<std::string> blameless_loss() const override { return unit_ + ": the connection broke"; }

  private:
    std::unique_ptr<WorkerChannel> channel_;
    std::string unit_;
};

}  // namespace redtune::search
