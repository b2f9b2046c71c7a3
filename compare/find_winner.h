#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "redtune/catalog.h"

namespace redtune::compare {

/// Returns the configuration that a program would get from the catalog for n elements, also if n lies between or beyond
/// the tuned sizes. Returns an empty value if there is none; `not_tuned` then says which command tunes the size.
/// @param problem with the determinism that the configuration must have
std::optional<Match> find_winner(const Catalog& catalog, const Problem& problem, std::uint64_t n, Regime regime,
                                 std::string_view device, std::string& not_tuned);

}  // namespace redtune::compare
