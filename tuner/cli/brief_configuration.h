#pragma once

#include <string>
#include <vector>

#include "tuner/core/configuration.h"
#include "tuner/core/family.h"

namespace redtune::cli {

/// Returns the configuration as a text without the parameters that have their family's default value. If its family is
/// not among `families`, the text has all its parameters.
std::string brief_configuration(const Configuration& configuration, const std::vector<Family>& families);

}  // namespace redtune::cli
