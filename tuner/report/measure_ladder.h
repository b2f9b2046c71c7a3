#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/report/ladder.h"
#include "tuner/report/ladder_bench.h"

namespace redtune::report {

/// Measures every step of a ladder, the first kernel alone and the whole reduction, and then the best of the families
/// that represent redtune: all their candidates are screened, and the fastest is timed as the steps are.
///
/// A step that fails keeps its line, without times. Once `stop` is true nothing more is measured, and the result holds
/// the steps measured so far.
/// @param say is called with a line for each failure, and before a step that takes long.
/// @throws InputError for a family that is not among `families`, or a size that cannot be measured; DeviceError with
/// the configuration that took the device down.
LadderResult measure_ladder(const LadderSetup& setup, const std::vector<Family>& families, LadderBench& bench,
                            const std::function<void(const std::string&)>& say, const std::atomic<bool>& stop);

}  // namespace redtune::report
