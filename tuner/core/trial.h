#pragma once

#include <cstdint>
#include <string>

#include "tuner/core/configuration.h"
#include "tuner/core/launch_rule.h"

namespace redtune {

/// A configuration with everything else that is needed to measure it, apart from the problem and the size. A trial is
/// plain data, so that another process can measure it; that process finds the family's source by the family's name.
struct Trial {
    Configuration configuration;
    LaunchRule rule;
    bool deterministic = true;          ///< every call on the same input gives the same bits
    bool destructive = false;           ///< overwrites its input
    std::uint64_t bytes_in_flight = 0;  ///< most bytes of loads that a block has outstanding at once; 0: unknown

    friend bool operator==(const Trial&, const Trial&) = default;
};

/// A trial that the parameter space lists: it is legal for a device, a problem and a size.
using Candidate = Trial;

}  // namespace redtune
