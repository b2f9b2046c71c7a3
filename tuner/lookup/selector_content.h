#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "redtune/device.h"
#include "redtune/selector.h"
#include "tuner/lookup/filter_sizes.h"
#include "tuner/lookup/snapshot.h"

namespace redtune {

/// The configurations of one rung that a selector may pick.
struct SelectorSource {
    /// The kind of the matches. `exact` stands for exact, between and beyond, of which pick() chooses one.
    MatchKind kind = MatchKind::exact;
    /// The configurations that can be taken, apart from limits that depend on n. For default_rule the sizes are in
    /// order of preference, and the device has no name.
    lookup::TunedSizes tuned;
    lookup::LeftOut left_out;  ///< the others
};

/// The configurations and limits that a selector picks from. The struct refers to nothing outside of itself.
struct Selector::Content {
    Problem problem;
    DeviceInfo device;
    SelectOptions options;    ///< without `occupancy`
    std::uint32_t kinds = 0;  ///< bit mask of the allowed kinds; bit i stands for the enumerator with the value i
    lookup::PickLimits limits;
    std::vector<SelectorSource> sources;  ///< best first; the rungs that can be reached

    bool uses_occupancy_query = false;

    /// Returns whether a selector for these arguments has the same content. `given` must have no occupancy query.
    bool serves(const Problem& other_problem, const DeviceInfo& other_device, const SelectOptions& given) const;
    bool allows(MatchKind kind) const noexcept { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; }
};

}  // namespace redtune
