#pragma once

#include <cstdint>
#include <vector>

#include "redtune/problem.h"
#include "tuner/timing/data.h"

namespace redtune::compare {

/// A problem to compare, and the kinds of data of its inputs.
struct RequestedProblem {
    Problem problem;
    std::vector<timing::Data> data = {timing::Data()};
};

/// The cells to compare: every problem with each of its kinds of data, at every size, in every regime and at every
/// offset.
struct CellRequest {
    std::vector<RequestedProblem> problems;  ///< every operator with every type
    std::vector<std::uint64_t> bytes;        ///< sizes of the input in bytes, ascending
    std::vector<Regime> regimes;
    std::vector<std::uint64_t> offsets;  ///< elements between an aligned address and the input
};

}  // namespace redtune::compare
