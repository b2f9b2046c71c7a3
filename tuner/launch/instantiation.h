#pragma once

#include <span>
#include <string>

#include "redtune/parameter.h"
#include "tuner/core/family.h"

namespace redtune::launch {

/// Returns the template arguments of a configuration that follow the problem, in the order of the family's parameters:
/// "256, 4, redtune::Finish::publish". Launch parameters are left out, because a kernel does not depend on them. A
/// parameter without a value gets its default, so that a configuration recorded before the family had the parameter
/// still names its kernel.
/// @throws InputError naming the family and the parameter, if the family does not have the parameter, if the
/// configuration gives it two values, or if it has neither a value nor a default.
std::string instantiation_of(const Family& family, std::span<const Parameter> parameters);

}  // namespace redtune::launch
