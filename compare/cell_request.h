#pragma once

#include <cstdint>
#include <vector>

#include "redtune/problem.h"

namespace redtune::compare {

/// The cells to compare: every problem at every size, in every regime and at every offset.
struct CellRequest {
    std::vector<Problem> problems;     ///< every operator with every type
    std::vector<std::uint64_t> bytes;  ///< sizes of the input in bytes, ascending
    std::vector<Regime> regimes;
    std::vector<std::uint64_t> offsets;  ///< elements between an aligned address and the input
};

}  // namespace redtune::compare
