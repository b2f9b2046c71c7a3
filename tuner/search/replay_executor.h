#pragma once

#include <filesystem>
#include <map>
#include <tuple>

#include "db/store.h"
#include "tuner/search/executor.h"

namespace redtune::search {

/// Gives back what was recorded on a device, sample by sample, so that search, store, look-up and command line run on
/// a machine with no GPU exactly as on one. A recording is a redtune database.
class ReplayExecutor final : public Executor {
  public:
    /// `name` is the recording's: "nvidia-h200" is nvidia-h200.recording.db in the folder of the shipped data.
    /// @throws InputError for an unknown recording, with the names there are, or one without this problem.
    ReplayExecutor(const std::string& name, const Problem& problem);

    /// The recordings there are, sorted.
    static std::vector<std::string> names();

    const DeviceInfo& device() const override { return device_; }
    const ToolchainInfo& toolchain() const override { return toolchain_; }
    std::string source() const override { return "replay:" + name_; }
    std::optional<std::string> refuses(std::uint64_t n, Regime regime) const override;
    bool offers(const Trial& trial, std::uint64_t n, Regime regime) const override;
    double screening_seconds(std::uint64_t) const override { return 1e-4; }
    double compile_seconds() const override { return 0; }
    void prepare(std::span<const Trial>, const std::function<void(const PrepareProgress&)>&,
                 const std::atomic<bool>&) override {}
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime) override;

  private:
    using Cell = std::map<std::pair<std::string, Stage>, Measurement>;  ///< by configuration and stage
    const Cell& cell(std::uint64_t n, Regime regime) const;

    std::string name_;
    Problem problem_;
    db::Store recording_;
    DeviceInfo device_;
    ToolchainInfo toolchain_;
    mutable std::map<std::pair<std::uint64_t, Regime>, Cell> cells_;  ///< read when first asked for
};

}  // namespace redtune::search
