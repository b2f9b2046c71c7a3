#pragma once

#include <span>

namespace redtune::timing {

/// Whether a candidate that is being screened cannot win any more. `best_us` is the best median of its cell so far; 0:
/// there is none yet, or the candidate is to be timed to the end.
bool is_hopeless(std::span<const double> samples_us, double best_us);

/// Same, by a single call outside of any graph, which has its launch in its time.
bool is_hopeless_call(double call_us, double best_us);

}  // namespace redtune::timing
