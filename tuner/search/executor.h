#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"
#include "tuner/timing/data.h"

namespace redtune::search {

/// The numbers of kernels that a preparation has compiled so far (`done`) and will compile (`total`). `done` includes
/// those that came from the cache and those that failed.
struct PrepareProgress {
    std::size_t done = 0;
    std::size_t total = 0;
    std::size_t from_cache = 0;
    std::size_t failed = 0;
};

/// Measures trials of one problem: on a GPU, or by replaying a recording. The search does not know which. Not
/// thread-safe.
class Executor {
  public:
    virtual ~Executor() = default;

    virtual const DeviceInfo& device() const = 0;
    virtual const ToolchainInfo& toolchain() const = 0;
    /// Returns where measurements come from, as the database stores it: "gpu", "replay:nvidia-h200".
    virtual std::string source() const = 0;

    /// Returns why a size cannot be measured in a regime; empty if it can.
    virtual std::optional<std::string> refuses(std::uint64_t n, Regime regime) const = 0;

    /// Returns why no trial of a family can be measured in any of these cells; empty if some of its trials may be
    /// measurable.
    virtual std::optional<std::string> refuses_family(const std::string& family, std::span<const std::uint64_t> sizes,
                                                      std::span<const Regime> regimes) const = 0;

    /// Returns whether a trial can be measured. A replay offers only the trials that were recorded.
    virtual bool offers(const Trial& trial, std::uint64_t n, Regime regime) const = 0;

    /// Returns whether this executor can measure on this data. A replay offers only the data that was recorded.
    virtual bool offers_data(const timing::Data& data) const = 0;

    /// Fills the inputs of later calls of measure() and compare() with this data. Before the first call the data is
    /// uniform. offers_data(data) must be true.
    virtual void use_data(const timing::Data& data) = 0;

    /// Estimates the time of one screening in seconds, without compilation.
    virtual double screening_seconds(std::uint64_t n) const = 0;
    /// Estimates the time to compile one kernel in seconds, when all cores compile.
    virtual double compile_seconds() const = 0;

    /// Compiles and loads the kernels of the trials, so that nothing compiles while times are taken. Trials that do not
    /// compile fail when they are measured.
    virtual void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                         const std::atomic<bool>& stop) = 0;

    /// Checks and times one trial. If the trial fails, the measurement's status and reason say why.
    /// @param best_us the best median so far: a trial that is much slower (timing/early_stop.h) is stopped early and
    /// has fewer samples. With 0 no trial is stopped early.
    /// @throws DeviceError if the device itself is lost.
    virtual Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) = 0;

    /// Times trials in interleaved rounds, so that sample i of each was taken next to sample i of the others.
    /// @param rounds number of samples of each trial; a replay returns all samples that were recorded
    virtual std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                             int rounds) = 0;
};

}  // namespace redtune::search
