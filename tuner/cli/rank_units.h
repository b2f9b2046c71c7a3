#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tuner/cli/device_list.h"
#include "tuner/search/rank_hub.h"
#include "tuner/search/ranks.h"

namespace redtune::cli {

/// Returns the devices of a rank: those that --device names, or without it the GPU with the rank's number among the
/// ranks of its machine. If the process sees one GPU only, it is that GPU.
/// @throws as choose_devices(); DeviceError if the machine has more ranks than GPUs
DeviceList choose_devices_of_rank(const std::string& text, const search::Ranks& ranks);

/// Does the work of a rank other than rank 0 (search/rank_agent.h): offers its devices to rank 0, and returns when rank
/// 0 has ended.
/// @param database the database into which rank 0 tunes
void serve_as_rank(const search::Ranks& ranks, const std::string& device, const ProblemOptions& options,
                   const jit::SourceSet& sources, const std::filesystem::path& database);

/// Rank 0's view of the devices of the other ranks.
class RankUnits {
  public:
    /// Waits for the other ranks, and says on stderr which devices are left out.
    /// @param stop ends the wait and all requests; it must outlive the object
    /// @param own rank 0's own devices
    RankUnits(const search::Ranks& ranks, const std::filesystem::path& database, const DeviceList& own,
              const std::atomic<bool>& stop);

    /// Returns an executor for each device of the other ranks.
    /// @param options the options from which `sources` were loaded; `sources` must outlive the executors
    std::vector<std::unique_ptr<search::Executor>> make_executors(const Problem& problem, std::uint64_t largest_n,
                                                                  const ProblemOptions& options,
                                                                  const jit::SourceSet& sources);

    /// Returns what people read for each of these devices.
    std::vector<std::string> labels() const;

  private:
    void leave_out_known_gpus(const DeviceList& own);

    const std::atomic<bool>& stop_;
    search::RankHub hub_;
    std::vector<search::UnitOffer> units_;
};

}  // namespace redtune::cli
