#pragma once

#include <cstdint>
#include <optional>

#include "db/store.h"
#include "redtune/match.h"
#include "tuner/cli/table.h"

namespace redtune::cli {

/// Prints the answer of `redtune query` on stdout. In JSON it is one object; programs rely on the keys and their order:
/// new keys go to the end, and none may be removed.
/// @param regret the measured regret of look-ups between the tuned sizes; empty: not measured, or n was tuned
void print_match(const Problem& problem, Regime regime, std::uint64_t n, const Match& match,
                 const std::optional<db::MeasuredRegret>& regret, Format format);

/// Returns the names of what is stale: "code", "driver", "nvrtc".
std::vector<std::string> names_of(const Staleness& stale);

}  // namespace redtune::cli
