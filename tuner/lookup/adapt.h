#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "db/store.h"
#include "redtune/device.h"
#include "redtune/problem.h"
#include "tuner/core/trial.h"
#include "tuner/lookup/obstacle.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// A configuration as the tuner would launch it, and the sizes for which the tuner would consider it.
struct Adapted {
    Trial trial;
    db::SizeRange candidate_for;
};

/// Returns whether the family needs a newer compute capability than the device has.
bool needs_newer_device(const Family& family, const DeviceInfo& device);

/// Adapts configurations to a problem and a device for which they were not tuned: their launch rules are computed anew
/// by the family's own expressions, with the SMs, cache and limits of this device.
class Adapter {
  public:
    /// `problem` and `device` must outlive the adapter.
    Adapter(const Problem& problem, const DeviceInfo& device, Regime regime)
        : problem_(problem), device_(device), regime_(regime) {}

    /// Changes the rule and the range of a tuned size. For rows of another length than `tuned_shape`, scales the
    /// family's parameter that grows with the row length; for the same shape, keeps the range within the recorded one.
    Obstacle adapt(TunedSize& tuned, const Shape& tuned_shape);

    /// Returns a configuration as a candidate; empty if it is none for any size near n. The family must be built in.
    const std::optional<Adapted>& adapt(const Family& family, const Configuration& configuration, std::uint64_t n);

  private:
    void scale(TunedSize& tuned, const Family& family, std::uint64_t tuned_row_length);

    const Problem& problem_;
    const DeviceInfo& device_;
    Regime regime_;
    std::map<std::string, std::optional<Adapted>> known_;  ///< key: the configuration as text
};

}  // namespace redtune::lookup
