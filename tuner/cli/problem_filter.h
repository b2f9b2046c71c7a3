#pragma once

#include <functional>

#include "tuner/cli/problem_options.h"

namespace redtune::cli {

/// Returns options of which none is given, the defaults for a command that uses them as a filter.
ProblemOptions unset_problem_options();

/// Returns a function that tells whether a problem is one that the options ask for. An option that was not given
/// allows all values.
/// @throws InputError with the allowed values
std::function<bool(const Problem&)> parse_problem_filter(const ProblemOptions& options);

}  // namespace redtune::cli
