#pragma once

#include <span>
#include <vector>

#include "tuner/core/configuration.h"
#include "tuner/core/family.h"

namespace redtune {

/// Returns the parameters in the family's order and adds the default value of each missing parameter, so that a
/// configuration that was recorded before the family had the parameter equals a current configuration. A missing
/// parameter without a default stays missing, and parameters that the family does not have stay at the end; such a
/// configuration equals no current configuration.
std::vector<Parameter> complete(std::span<const Parameter> parameters, const Family& family);

/// Returns the configuration with its parameters completed by the function above; unchanged if its family is not among
/// `families`.
Configuration complete(const Configuration& configuration, std::span<const Family> families);

}  // namespace redtune
