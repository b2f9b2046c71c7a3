#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/report/ladder.h"
#include "tuner/report/ladder_bench.h"

namespace redtune::report {

/// Measures every step of a ladder, the first kernel alone and the whole reduction. Then it screens all candidates of
/// the families that represent redtune, and times the fastest of them like a step.
///
/// A step that fails keeps its entry in the result, without times. Once `stop` is true nothing more is measured, and
/// the result holds the steps measured so far.
/// @param say is called with one line for each failure, and before a step that takes long.
/// @throws InputError for a family that is not among `families`, or a size that cannot be measured; DeviceError with
/// the configuration whose kernel made the device unusable.
LadderResult measure_ladder(const LadderSetup& setup, const std::vector<Family>& families, LadderBench& bench,
                            const std::function<void(const std::string&)>& say, const std::atomic<bool>& stop);

}  // namespace redtune::report
