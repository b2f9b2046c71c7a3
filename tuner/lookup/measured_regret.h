#pragma once

#include <filesystem>
#include <optional>

#include "db/store.h"
#include "redtune/match.h"

namespace redtune {

/// Returns the regret that was measured for look-ups like this one, from the user's database or else from the shipped
/// one. Empty if the match is not `between`, because a look-up of a tuned size has no regret, or if none was measured.
/// @param user the user's database file, which need not exist
/// @param system_data the folder of the shipped databases
/// @throws DatabaseError if a file cannot be read
std::optional<db::MeasuredRegret> find_regret(const std::filesystem::path& user,
                                              const std::filesystem::path& system_data, const Problem& problem,
                                              Regime regime, const Match& match);

}  // namespace redtune
