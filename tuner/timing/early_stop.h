#pragma once

#include <functional>
#include <span>

namespace redtune::timing {

/// Returns whether a candidate with these samples is too slow to win, so that its screening can be stopped.
/// @param best_us the best median of its cell so far; 0: unknown, so no candidate is hopeless
bool is_hopeless(std::span<const double> samples_us, double best_us);

/// Returns whether a candidate is too slow to win, judged by the time of a single call. The call was launched alone, so
/// its time includes the launch latency.
bool is_hopeless_call(double call_us, double best_us);

/// Returns whether a candidate was too slow to win in two calls, each judged by is_hopeless_call(). One call does not
/// suffice, because another thread or process may have delayed its launch.
/// @param call_us time of the first call, in microseconds
/// @param call_again makes the second call and returns its time; called only if the first call was too slow
bool is_hopeless_twice(double call_us, double best_us, const std::function<double()>& call_again);

}  // namespace redtune::timing
