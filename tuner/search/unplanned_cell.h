#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tuner/search/cell_runner.h"
#include "tuner/search/strategy.h"

namespace redtune::search {

/// A cell that is not in the plan of a sweep, with its prior and the strategy of standard effort. The constructor
/// compiles all of its trials, unless the sweep compiles as needed.
struct UnplannedCell {
    UnplannedCell(const SweepContext& sweep, const std::vector<Family>& families, std::uint64_t n, Regime regime);
    UnplannedCell(const UnplannedCell&) = delete;  // strategy refers to cell and prior
    UnplannedCell& operator=(const UnplannedCell&) = delete;

    Cell cell;
    Prior prior;
    std::unique_ptr<Strategy> strategy;
};

}  // namespace redtune::search
