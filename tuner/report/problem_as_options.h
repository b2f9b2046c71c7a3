#pragma once

#include <string>

#include "redtune/problem.h"

namespace redtune::report {

/// Returns the options of `redtune tune` that select a problem: "--op sum --dtype f32 --determinism any".
std::string as_options(const Problem& problem);

}  // namespace redtune::report
