#pragma once

#include <string>

#include "redtune/problem.h"

namespace redtune::report {

/// Returns a problem in words and leaves out properties with their default value: "sum of f32", "argmin of f16,
/// rows:32", "dot of bf16 in f64 to f64".
std::string describe(const Problem& problem);

}  // namespace redtune::report
