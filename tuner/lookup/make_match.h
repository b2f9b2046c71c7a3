#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "redtune/match.h"
#include "tuner/lookup/snapshot.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// Returns the match of the configuration that pick() chooses among tuned sizes for a problem of n elements; empty if
/// it chooses none. Allocates nothing. The match refers to `tuned` and `device`.
/// @param device the name of the device that was asked for
std::optional<Match> make_match(const TunedSizes& tuned, const Problem& problem, std::uint64_t n,
                                std::string_view device, const PickLimits& limits = {}) noexcept;

/// Returns the match of kind default_rule of the first of the configurations that can be used for n; empty if none can.
std::optional<Match> make_default_match(const TunedSizes& rules, const Problem& problem, std::uint64_t n,
                                        std::string_view device, const PickLimits& limits) noexcept;

}  // namespace redtune::lookup
