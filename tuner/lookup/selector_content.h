#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "redtune/selector.h"
#include "tuner/lookup/snapshot.h"

namespace redtune {

/// Configurations that a selector may pick, all from the same tuned sizes.
struct SelectorSource {
    /// The kind of the matches. `exact` stands for exact, between and beyond, of which pick() chooses one.
    MatchKind kind = MatchKind::exact;
    lookup::TunedSizes tuned;  ///< legal on the device and within the options, apart from limits that depend on n
};

/// What a selector picks from. It refers to nothing outside of itself.
struct Selector::Content {
    Problem problem;
    DeviceInfo device;
    SelectOptions options;    ///< without `occupancy`
    std::uint32_t kinds = 0;  ///< bit mask of the allowed kinds; bit i stands for the enumerator with the value i
    lookup::PickLimits limits;
    std::vector<SelectorSource> sources;  ///< best first

    bool allows(MatchKind kind) const noexcept { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; }
};

}  // namespace redtune
