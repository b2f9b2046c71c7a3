#pragma once

#include <cstdint>
#include <string_view>

#include "tuner/search/profiled_call.h"

namespace redtune::report {

/// The metric of Nsight Compute that parse_profiled_calls() reads: the duration of a kernel.
inline constexpr const char* duration_metric = "gpu__time_duration.sum";

/// The number of calls that parse_profiled_calls() leaves out at the beginning: they fill the caches.
inline constexpr std::uint32_t discarded_calls = 1;

/// Returns the median call of those that Nsight Compute profiled, without the first discarded_calls.
/// @param output as RawPage reads it
/// @param calls the number of calls that were made, all with equally many launches; more than discarded_calls
/// @throws InputError if the text has no durations, or not those of so many calls
search::ProfiledCall parse_profiled_calls(std::string_view output, std::uint32_t calls);

}  // namespace redtune::report
