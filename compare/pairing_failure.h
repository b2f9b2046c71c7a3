#pragma once

#include <cstddef>
#include <string>

#include "tuner/core/measurement.h"

namespace redtune::compare {

/// Returns why the samples of an interleaved measurement of `rounds` rounds cannot be paired with those of another one;
/// empty if they can. A measurement with fewer samples lacks those of unknown rounds.
std::string pairing_failure(const Measurement& measurement, std::size_t rounds);

}  // namespace redtune::compare
