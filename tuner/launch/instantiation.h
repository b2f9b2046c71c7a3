#pragma once

#include <span>
#include <string>

#include "redtune/parameter.h"
#include "tuner/core/family.h"

namespace redtune::launch {

/// Returns a configuration's template arguments after the problem, in the family's order: "256, 4,
/// redtune::Finish::publish". Launch parameters are left out, because a kernel does not depend on them. A parameter
/// that the configuration does not name has its default value.
/// @throws InputError naming family and parameter, if the family has no such parameter, or the configuration gives a
/// parameter two values, or gives none to one that has no default.
std::string instantiation_of(const Family& family, std::span<const Parameter> parameters);

}  // namespace redtune::launch
