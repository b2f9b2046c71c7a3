#pragma once

#include "tuner/core/family.h"
#include "tuner/core/front_matter.h"

namespace redtune {

/// Reads the table [derived] of a front matter into `family.derived`, and its list `where` into `family.where`. The
/// family's parameters must have been read before.
/// @throws InputError "path:line: what is wrong; what is allowed"
void read_expressions(const FrontMatter& matter, Family& family);

}  // namespace redtune
