#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/accuracy.h"
#include "tuner/timing/subject.h"

namespace redtune::compare {

/// Returns CUB's reduction of n elements as a subject. It has no launch plan, so it has no floor. Its results are not
/// judged, because CUB sums f16 and bf16 in their own type, which the error bound of this project's kernels does not
/// allow for.
timing::Subject cub_subject(const Problem& problem, std::uint64_t n, const std::string& determinism);

/// Returns a method for each kind of determinism that CUB offers for a sum; none for other operators.
std::vector<AccuracyMethod> cub_accuracy_methods(const Problem& problem, std::uint64_t n);

}  // namespace redtune::compare
