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

/// As is_hopeless_call(), but not by the first call alone: what else runs on the machine may have held up its launch.
/// @param call_again makes the call again and returns its time in microseconds; called if the first one was too slow
bool is_hopeless_twice(double call_us, double best_us, const std::function<double()>& call_again);

}  // namespace redtune::timing
