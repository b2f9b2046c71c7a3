#pragma once

#include <cstdint>
#include <string>

#include "tuner/core/configuration.h"
#include "tuner/core/launch_rule.h"

namespace redtune {

/// A configuration to measure, with everything that measuring it needs besides the problem and the size. It is plain
/// data, so that another process can measure it; the family's source is found by the family's name.
struct Trial {
    Configuration configuration;
    LaunchRule rule;
    bool deterministic = true;
    bool destructive = false;           ///< overwrites its input
    std::uint64_t bytes_in_flight = 0;  ///< loads that a block has outstanding at once, at most; 0: unknown

    friend bool operator==(const Trial&, const Trial&) = default;
};

/// A trial as the parameter space lists it: legal for a device, a problem and a size.
using Candidate = Trial;

}  // namespace redtune
