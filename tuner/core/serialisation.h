#pragma once

#include <string>
#include <string_view>

#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"

namespace redtune {

/// Returns a trial as one line of JSON, from which another process reads the same trial. Parameters and launch rule are
/// spelled as the database spells them (configuration.h), so the fields of a rule that its grid rule does not use are
/// not kept.
/// @throws InputError for parameter names or values that are not UTF-8, and for numbers that are not finite.
std::string to_json(const Trial& trial);

/// @throws InputError "a trial cannot be read: what is wrong", also for keys that a trial does not have.
Trial trial_from_json(std::string_view json);

/// Returns a measurement as one line of JSON. Numbers are exact; numbers that are not finite are the strings "nan",
/// "inf" and "-inf". Text that is not UTF-8 is an object with its bytes in hexadecimal: {"hex": "ff00"}.
std::string to_json(const Measurement& measurement);

/// @throws InputError "a measurement cannot be read: what is wrong", also for keys that a measurement does not have.
Measurement measurement_from_json(std::string_view json);

}  // namespace redtune
