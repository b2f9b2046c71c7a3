#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/configuration.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/measurement.h"

namespace redtune::search {

/// A candidate and the family it comes from, which must outlive it.
struct Trial {
    const Family* family = nullptr;
    Candidate candidate;
};

/// How far the compilation is.
struct PrepareProgress {
    std::size_t done = 0;
    std::size_t total = 0;
    std::size_t from_cache = 0;
    std::size_t failed = 0;
};

/// The seam between search and hardware: in this process on a GPU, or a replay of what was recorded. Nothing above it
/// knows which. For one problem; not thread-safe.
class Executor {
  public:
    virtual ~Executor() = default;

    virtual const DeviceInfo& device() const = 0;
    virtual const ToolchainInfo& toolchain() const = 0;
    /// Where measurements come from, as the database keeps it: "gpu", "replay:nvidia-h200".
    virtual std::string source() const = 0;

    /// Why a size cannot be measured here; empty if it can.
    virtual std::optional<std::string> refuses(std::uint64_t n, Regime regime) const = 0;

    /// Whether a trial can be measured at all: a replay has only what was recorded.
    virtual bool offers(const Trial& trial, std::uint64_t n, Regime regime) const = 0;

    /// About how long one screening of a size takes, in seconds; compiling not counted.
    virtual double screening_seconds(std::uint64_t n) const = 0;
    /// About how long one kernel takes to compile, in seconds, with all cores at work.
    virtual double compile_seconds() const = 0;

    /// Compiles and loads all that the trials need, so that nothing compiles while times are taken. Candidates that do
    /// not compile fail when they are measured.
    virtual void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                         const std::atomic<bool>& stop) = 0;

    /// Checks and times one trial. What is wrong with the candidate is in the measurement's status and reason.
    /// @param best_us the best median so far: a trial that is hopeless beside it (timing/early_stop.h) is given up, and
    /// has the samples that it had. 0: it is timed to the end.
    /// @throws DeviceError if the device itself is lost.
    virtual Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) = 0;

    /// Times the last few in interleaved rounds: sample i of each was taken beside sample i of the others.
    virtual std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime) = 0;
};

}  // namespace redtune::search
