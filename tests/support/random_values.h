#pragma once

#include <string>

#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"

namespace redtune::test_support {

// RapidCheck generates the values of these functions, which properties call.

/// Generates text: in half of the cases any bytes, which may not be UTF-8.
std::string any_text();
/// Generates a measurement. Its numbers may be infinite.
Measurement any_measurement();
/// Generates a trial that JSON can represent.
Trial any_trial();

}  // namespace redtune::test_support
