#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "redtune/match.h"
#include "redtune/selector.h"

namespace redtune::lookup {

/// A look-up for n elements.
using FindMatch = std::function<std::optional<Match>(std::uint64_t n)>;

/// Returns `first`, `last`, and the sizes between them at which a tuned size, or the sizes that a configuration is
/// meant for, begin or end, ascending. Between two of them the answers of a selector change at most where times cross
/// and limits are reached. Of a problem of rows, the sizes are whole rows.
std::vector<std::uint64_t> change_points(const Selector::Content& content, std::uint64_t first, std::uint64_t last);

/// Returns every configuration that `find` returns for an n from `first` to `last`, each once. Of a problem of rows,
/// the sizes are whole rows.
/// @param content of the selector that `find` asks
/// @param find it may find nothing for some sizes
/// @param first, last for rows: multiples of the row length
std::vector<Match> distinct_matches(const Selector::Content& content, const FindMatch& find, std::uint64_t first,
                                    std::uint64_t last);

}  // namespace redtune::lookup
