#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "db/store.h"
#include "tuner/search/executor.h"

namespace redtune::search {

/// Returns recorded measurements, sample by sample, so that search, database, look-up and command line run without a
/// GPU exactly as they do with one. A recording is a redtune database. It can replay the cells whose screenings it has,
/// on uniform data.
class ReplayExecutor final : public Executor {
  public:
    /// @param name the recording: "nvidia-h200" is nvidia-h200.recording.db in the folder of the shipped data
    /// @param families give the default values of parameters that a family did not have when it was recorded
    /// (core/complete.h)
    /// @throws InputError for an unknown recording, with the names of all recordings.
    ReplayExecutor(const std::string& name, const Problem& problem, std::vector<Family> families = {});

    /// Returns the names of the recordings, sorted.
    static std::vector<std::string> names();

    /// Returns the sizes that have screenings of the problem, in ascending order.
    std::vector<std::uint64_t> sizes(Regime regime) const { return screened_sizes(problem_, regime); }

    const DeviceInfo& device() const override { return device_; }
    const ToolchainInfo& toolchain() const override { return toolchain_; }
    std::string source() const override { return "replay:" + name_; }
    std::optional<std::string> refuses(std::uint64_t n, Regime regime) const override;
    std::optional<std::string> refuses_family(const std::string& family, std::span<const std::uint64_t> sizes,
                                              std::span<const Regime> regimes) const override;
    bool offers(const Trial& trial, std::uint64_t n, Regime regime) const override;
    bool offers_data(const timing::Data& data) const override { return data.is_uniform(); }
    void use_data(const timing::Data&) override {}
    double screening_seconds(std::uint64_t) const override { return 1e-4; }
    double compile_seconds() const override { return 0; }
    void prepare(std::span<const Trial>, const std::function<void(const PrepareProgress&)>&,
                 const std::atomic<bool>&) override {}
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override;
    timing::TimeSpent take_spent() override { return account_.take_spent(); }

  private:
    using Cell = std::map<std::pair<std::string, Stage>, Measurement>;  ///< key: configuration and stage
    const Cell& cell(std::uint64_t n, Regime regime) const;
    std::vector<std::uint64_t> screened_sizes(const Problem& problem, Regime regime) const;
    std::string describe_recorded() const;

    std::string name_;
    Problem problem_;
    db::Store recording_;
    DeviceInfo device_;
    ToolchainInfo toolchain_;
    timing::TimeAccount account_;
    // Both maps are caches; const functions add entries when they first need them.
    mutable std::map<Regime, std::vector<std::uint64_t>> sizes_;  ///< sizes with screenings of the problem
    mutable std::map<std::pair<std::uint64_t, Regime>, Cell> cells_;
};

}  // namespace redtune::search
