#pragma once

#include <cstdint>
#include <string_view>

#include "redtune/match.h"
#include "tuner/lookup/snapshot.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// The request of a look-up.
struct Asked {
    const Problem& problem;
    std::uint64_t n = 0;
    std::string_view device;  ///< name of the device
    PickLimits limits = {};
    std::uint32_t kinds =
        ~0U;  ///< bit mask of the allowed kinds of match; bit i stands for the enumerator with value i
};

/// Fills `match` with the configuration that pick() chooses among tuned sizes; false if it chooses none, or if the kind
/// of the match is not allowed. Then only the plan of `match` has changed, so that another source can be tried: a match
/// is several times as large as what a look-up reads, and is not copied. Allocates nothing. The match refers to `tuned`
/// and `asked.device`.
/// @param kind the kind of the match; `exact` stands for the kind that pick() finds
bool fill_match(const TunedSizes& tuned, MatchKind kind, const Asked& asked, Match& match) noexcept;

/// Fills `match`, which must be new apart from its plan, with the first of the rules of thumb that can be used for n;
/// false if none can.
bool fill_default_match(const TunedSizes& rules, const Asked& asked, Match& match) noexcept;

}  // namespace redtune::lookup
