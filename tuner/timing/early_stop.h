#pragma once

#include <span>

namespace redtune::timing {

/// Returns whether a candidate with these samples cannot win any more.
/// @param best_us the best median of its cell so far; 0: unknown, so no candidate is hopeless
bool is_hopeless(std::span<const double> samples_us, double best_us);

/// Returns the same from the time of a single call that was launched alone, so that the time includes the launch
/// latency.
bool is_hopeless_call(double call_us, double best_us);

}  // namespace redtune::timing
