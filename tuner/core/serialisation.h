#pragma once

#include <string>
#include <string_view>

#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"

namespace redtune {

/// Returns a trial as one line of JSON, from which another process reads the same trial. Parameters and launch rule
/// have the database's format (configuration.h), so the members of a rule that its grid rule does not use are lost.
/// @throws InputError for parameter names or values that are not UTF-8, and for numbers that are not finite.
std::string to_json(const Trial& trial);

/// Returns the trial that to_json() wrote.
/// @throws InputError "a trial cannot be read: what is wrong", also for unknown keys.
Trial trial_from_json(std::string_view json);

/// Returns a measurement as one line of JSON. Finite numbers are exact; the others are written as the strings "nan",
/// "inf" and "-inf". Text that is not UTF-8 is written as an object with its bytes in hexadecimal: {"hex": "ff00"}.
std::string to_json(const Measurement& measurement);

/// Returns the measurement that to_json() wrote.
/// @throws InputError "a measurement cannot be read: what is wrong", also for unknown keys.
Measurement measurement_from_json(std::string_view json);

}  // namespace redtune
