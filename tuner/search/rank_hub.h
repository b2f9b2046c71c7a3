#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tuner/search/tcp.h"
#include "tuner/search/unit_offer.h"
#include "tuner/search/worker_link.h"

namespace redtune::search {

/// Rank 0's end of the connections to the workers of the other ranks. A thread of its own accepts them. A connection
/// that does not begin with an offer and the right token is closed. Thread-safe.
class RankHub {
  public:
    /// Begins to listen, and writes where to a file (rank_address.h). @throws Error
    RankHub(std::filesystem::path file, const std::string& job);
    /// Removes the file and closes all connections that wait, which ends the other ranks.
    ~RankHub();
    RankHub(const RankHub&) = delete;
    RankHub& operator=(const RankHub&) = delete;

    /// Waits until this many ranks have offered all their units, for at most this time or until `stop` is true.
    /// @return the units that were offered, by rank
    std::vector<UnitOffer> await_ranks(std::size_t ranks, std::chrono::milliseconds limit,
                                       const std::atomic<bool>& stop);

    /// Returns a function that returns a new worker of a unit. It waits until the unit's rank has started one, for some
    /// time or until `stop` is true. Hub and flag must outlive it. The function throws DeviceError if none comes, and
    /// Stopped.
    StartWorker workers_of(const UnitOffer& unit, const std::atomic<bool>& stop);

  private:
    void accept_connections();
    void accept_unit(Socket connection);
    std::size_t complete_ranks() const;

    std::filesystem::path file_;
    std::string token_;
    Socket listening_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, UnitOffer> offers_;                            ///< by the unit's name
    std::map<std::string, std::unique_ptr<WorkerChannel>> connections_;  ///< that wait, by the unit's name
    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

}  // namespace redtune::search
