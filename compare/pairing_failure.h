#pragma once

#include <cstddef>
#include <string>

#include "tuner/core/measurement.h"

namespace redtune::compare {

/// Returns why the samples of an interleaved measurement of `rounds` rounds cannot be paired with those of another one;
/// empty if they can. If a measurement has fewer samples than rounds, it is unknown which rounds have none.
std::string pairing_failure(const Measurement& measurement, std::size_t rounds);

}  // namespace redtune::compare
