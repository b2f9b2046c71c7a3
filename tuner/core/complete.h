#pragma once

#include <span>
#include <vector>

#include "tuner/core/configuration.h"
#include "tuner/core/family.h"

namespace redtune {

/// Returns the parameters in the family's order, with the default value of each parameter that is missing: a
/// configuration that was recorded before the family had the parameter equals one of today. A missing parameter without
/// a default stays missing, and parameters that the family does not have stay at the end; such a configuration equals
/// none of today.
std::vector<Parameter> complete(std::span<const Parameter> parameters, const Family& family);

/// Returns the configuration with complete parameters of its family; unchanged if the family is not among `families`.
Configuration complete(const Configuration& configuration, std::span<const Family> families);

}  // namespace redtune
