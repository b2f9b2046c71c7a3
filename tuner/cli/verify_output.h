#pragma once

#include <optional>
#include <vector>

#include "tuner/cli/table.h"
#include "tuner/search/verification.h"

namespace redtune::cli {

/// A verified winner.
struct VerifiedCell {
    search::StoredCell stored;
    search::Verification verification;
    std::optional<db::StoredWinner> retuned;  ///< the winner that --retune found
};

/// Returns the table that `verify` prints.
/// @param families the families of the configurations; the configuration of any other family is shown with all
/// parameters
Table verification_table(const std::vector<VerifiedCell>& cells, const std::vector<Family>& families);

/// Returns the counts in words: "79 winners: 77 ok, 1 slower, 1 no_longer_best".
std::string count_verdicts(const std::vector<VerifiedCell>& cells);

}  // namespace redtune::cli
