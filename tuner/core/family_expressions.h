#pragma once

#include "tuner/core/family.h"
#include "tuner/core/front_matter.h"

namespace redtune {

/// Reads [derived], with its conditions, into `family.derived` and `family.where`. The family has its parameters by
/// then.
/// @throws InputError "path:line: what is wrong; what is allowed"
void read_expressions(const FrontMatter& matter, Family& family);

}  // namespace redtune
