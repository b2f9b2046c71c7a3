#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "redtune/match.h"
#include "tuner/core/family.h"
#include "tuner/report/counters.h"
#include "tuner/report/explanation.h"

namespace redtune::cli {

/// The answer of a look-up with its explanation.
struct ExplainedMatch {
    Problem problem;  ///< the problem that was asked for
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    Match match;
    std::optional<report::Explanation> why;       ///< nullopt: a rule of thumb, which was not measured
    std::vector<report::Counters> counters = {};  ///< of each launch of a call; empty: not read
};

/// Returns the explanation of a look-up's answer from the user's database, the shipped ones and the recordings.
/// @param user the user's database file, which need not exist
/// @param families complete the configurations that were recorded before their family had all its parameters
std::optional<report::Explanation> explain_match(const Match& match, const std::filesystem::path& user,
                                                 const std::vector<Family>& families);

}  // namespace redtune::cli
