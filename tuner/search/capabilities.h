#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/trial.h"
#include "tuner/timing/data.h"

namespace redtune::search {

/// The part of an executor that plans a sweep: its device, the trials that it can measure, and estimates of the time.
/// No function of it measures or allocates device memory. Not thread-safe.
class Capabilities {
  public:
    virtual ~Capabilities() = default;

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

    /// Returns whether measurements on this data are possible. A replay offers only the data that was recorded.
    virtual bool offers_data(const timing::Data& data) const = 0;

    /// Estimates the time of one screening in seconds, without compilation.
    virtual double screening_seconds(std::uint64_t n) const = 0;
    /// Estimates the time to compile one kernel in seconds, when all cores compile.
    virtual double compile_seconds() const = 0;
};

}  // namespace redtune::search
